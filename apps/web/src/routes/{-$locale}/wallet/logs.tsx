import { createFileRoute } from '@tanstack/react-router'
import { readSearch } from '../../../app/read-search.ts'
import { readLogFilter } from '../../../features/history/log-filter.ts'
import { LogsScreen } from '../../../features/history/logs-screen.tsx'

export const Route = createFileRoute('/{-$locale}/wallet/logs')({
  validateSearch: readLogFilter,
  component: () => <LogsScreen filter={readSearch(readLogFilter, Route.useSearch())} />,
})
