import { createFileRoute } from '@tanstack/react-router'
import { readPeriod } from '../../../features/history/summary-period.ts'
import { SummaryScreen } from '../../../features/history/summary-screen.tsx'

export const Route = createFileRoute('/{-$locale}/wallet/summary')({
  validateSearch: readPeriod,
  component: () => <SummaryScreen period={Route.useSearch().period} />,
})
