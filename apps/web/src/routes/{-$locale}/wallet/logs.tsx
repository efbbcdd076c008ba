import { createFileRoute } from '@tanstack/react-router'
import { readLogFilter } from '../../../features/wallet/log-filter.ts'
import { LogsScreen } from '../../../features/wallet/logs-screen.tsx'

export const Route = createFileRoute('/{-$locale}/wallet/logs')({
  validateSearch: readLogFilter,
  component: () => <LogsScreen filter={Route.useSearch()} />,
})
