import { createFileRoute } from '@tanstack/react-router'
import { readSearch } from '../../../app/read-search.ts'
import { type LogFilter, readLogFilter } from '../../../features/history/log-filter.ts'
import { LogsScreen } from '../../../features/history/logs-screen.tsx'

export const Route = createFileRoute('/{-$locale}/wallet/logs')({
  // Read where it is shown: the code that reads it would come with home's.
  validateSearch: (search: Record<string, unknown>): LogFilter => search as LogFilter,
  component: () => <LogsScreen filter={readSearch(readLogFilter, Route.useSearch())} />,
})
