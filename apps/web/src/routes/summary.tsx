import { useReadSearch } from '../app/read-search.ts'
import { readPeriod } from '../features/history/summary-period.ts'
import { SummaryScreen } from '../features/history/summary-screen.tsx'

export default function SummaryRoute() {
  return <SummaryScreen period={useReadSearch(readPeriod).period} />
}
