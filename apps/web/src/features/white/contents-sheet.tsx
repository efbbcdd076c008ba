import { Sheet } from '@clearwell/ui/components/sheet.tsx'
import { m } from '../../generated/messages.ts'
import type { Section } from './sections.ts'
import { TableOfContents } from './table-of-contents.tsx'
import { goToSection } from './use-current-section.ts'

/** Milliseconds until the closing sheet has returned the focus. Only then can the heading take it. */
const LEAVING_MS = 300

/** The table of contents as a sheet, available anywhere in the text. */
export default function ContentsSheet({
  sections,
  current,
  onClose,
}: {
  sections: readonly Section[]
  current: string | undefined
  onClose: () => void
}) {
  return (
    <Sheet title={m.white_contents()} onClose={onClose}>
      <nav aria-label={m.white_contents()} className="-mx-4">
        <TableOfContents
          sections={sections}
          current={current}
          onChoose={(id) => {
            onClose()
            setTimeout(() => goToSection(id), LEAVING_MS)
          }}
        />
      </nav>
    </Sheet>
  )
}
