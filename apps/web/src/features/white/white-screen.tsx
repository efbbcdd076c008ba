import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Payload } from '../../../content/payload-schema.ts'
import { CONTENT } from '../../content/content.samples.ts'
import { ContentBlocks } from '../../content/content-blocks.tsx'
import { LiveLegend } from '../../content/live-text.tsx'
import { usePayload } from '../../content/payload.ts'
import { m } from '../../generated/messages.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { type Section, sectionsOf } from './sections.ts'
import { TableOfContents } from './table-of-contents.tsx'
import { goToSection, useCurrentSection } from './use-current-section.ts'

const ContentsSheet = lazySheet(() => import('./contents-sheet.tsx'))

/** The section that the address names. */
export interface WhiteSearch {
  readonly section?: string
}

/** `?section=swap` scrolls to a section, so that a link to it can be shared. */
function readSection({ section }: Record<string, unknown>): WhiteSearch {
  return typeof section === 'string' ? { section } : {}
}

/** The whitepaper. */
export default function WhiteScreen() {
  const { section } = useReadSearch(readSection)
  const { data: payload, error, refetch } = usePayload('/white')
  return (
    <Screen title={m.nav_whitepaper()}>
      {payload ? (
        <Paper payload={payload} section={section} />
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <Pending label={m.content_loading()}>
          <Paper payload={CONTENT} section={undefined} />
        </Pending>
      )}
    </Screen>
  )
}

function Paper({ payload, section }: { payload: Payload; section: string | undefined }) {
  const blocks = payload.blocks ?? []
  const sections = sectionsOf(blocks)
  const current = useCurrentSection(sections)
  const router = useRouter()
  useEffect(() => {
    if (section === undefined) return
    goToSection(section)
    // The router scrolls to the top after rendering a navigation, so this has to run later.
    return router.subscribe('onRendered', () => goToSection(section))
  }, [section, router])
  return (
    <>
      <p className="text-muted">{payload.summary}</p>
      <LiveLegend />
      <nav aria-label={m.white_contents()} className="rounded-card border border-line bg-surface py-2">
        <h2 className="px-4 py-2 text-section">{m.white_contents()}</h2>
        <TableOfContents sections={sections} current={current} />
      </nav>
      <WhereNow sections={sections} current={current} />
      <article className="min-w-0">
        <ContentBlocks blocks={blocks} />
      </article>
    </>
  )
}

/** A bar under the header with the current section and a button for the table of contents. */
function WhereNow({ sections, current }: { sections: readonly Section[]; current: string | undefined }) {
  const [open, setOpen] = useState(false)
  const at = sections.findIndex(({ id }) => id === current)
  const section = sections[at]
  return (
    <div className="sticky top-14 z-10 -mx-4 border-b border-line bg-ground/95 backdrop-blur-md">
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="flex min-h-11 w-full items-center gap-3 px-4 text-start -outline-offset-2"
      >
        <span className="figures text-label text-muted">
          {at + 1}/{sections.length}
        </span>
        <span className="min-w-0 flex-1 truncate">{section ? section.title : m.white_contents()}</span>
        <span className="sr-only">{m.white_contents()}</span>
        <Icon name="menu" className="text-muted" />
      </button>
      {open && <ContentsSheet sections={sections} current={current} onClose={() => setOpen(false)} />}
    </div>
  )
}
