import { useReadSearch } from '../app/read-search.ts'
import { readLogFilter } from '../features/history/log-filter.ts'
import { LogsScreen } from '../features/history/logs-screen.tsx'

export default function LogsRoute() {
  return <LogsScreen filter={useReadSearch(readLogFilter)} />
}
