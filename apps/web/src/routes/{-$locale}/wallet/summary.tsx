import { createFileRoute } from '@tanstack/react-router'
import { readSearch } from '../../../app/read-search.ts'
import { readPeriod } from '../../../features/history/summary-period.ts'
import { SummaryScreen } from '../../../features/history/summary-screen.tsx'

export const Route = createFileRoute('/{-$locale}/wallet/summary')({
  validateSearch: readPeriod,
  component: () => <SummaryScreen period={readSearch(readPeriod, Route.useSearch()).period} />,
})
