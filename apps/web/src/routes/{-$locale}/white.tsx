import { createFileRoute } from '@tanstack/react-router'
import { loadPayload, usePayload } from '../../app/payload.ts'
import { readSearch } from '../../app/read-search.ts'
import { WhiteScreen } from '../../features/white/white-screen.tsx'

export const Route = createFileRoute('/{-$locale}/white')({
  /** `?section=swap` goes to a section, so that a link to it can be shared. */
  validateSearch: readSection,
  loader: loadPayload('/white'),
  component: WhiteRoute,
})

function WhiteRoute() {
  const { section } = readSearch(readSection, Route.useSearch())
  const { data, error, refetch } = usePayload('/white')
  return <WhiteScreen payload={data} error={error} onRetry={refetch} section={section} />
}

function readSection({ section }: Record<string, unknown>): { section?: string } {
  return typeof section === 'string' ? { section } : {}
}
