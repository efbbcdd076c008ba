import { useLinkProps } from '@tanstack/react-router'
import type { Section } from './sections.ts'
import { goToSection } from './use-current-section.ts'

/** Shareable links to the sections, with the current one marked. */
export function TableOfContents({
  sections,
  current,
  onChoose = goToSection,
}: {
  sections: readonly Section[]
  current: string | undefined
  /** Called instead of scrolling to the section immediately. */
  onChoose?: (id: string) => void
}) {
  return (
    <ol className="flex flex-col">
      {sections.map((section, i) => (
        <li key={section.id}>
          <SectionLink section={section} number={i + 1} isCurrent={section.id === current} onChoose={onChoose} />
        </li>
      ))}
    </ol>
  )
}

function SectionLink({
  section: { id, title },
  number,
  isCurrent,
  onChoose,
}: {
  section: Section
  number: number
  isCurrent: boolean
  onChoose: (id: string) => void
}) {
  const link = useLinkProps({
    to: '/{-$locale}/white',
    search: { section: id },
    replace: true,
    resetScroll: false,
    // The link changes the address. This also scrolls when the address already names the section.
    onClick: () => onChoose(id),
  })
  return (
    <a
      {...link}
      // The router would mark the section in the address instead of the current one.
      aria-current={isCurrent ? 'location' : undefined}
      className="flex min-h-11 items-center gap-3 px-4 -outline-offset-2 hover:text-accent aria-[current=location]:text-accent"
    >
      <span aria-hidden="true" className="figures w-5 shrink-0 text-end text-label text-muted">
        {number}
      </span>
      {title}
    </a>
  )
}
