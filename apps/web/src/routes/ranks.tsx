import { useReadSearch } from '../app/read-search.ts'
import { RankScreen } from '../features/rank/rank-screen.tsx'
import { readRank } from '../features/rank/rank-search.ts'

export default function RanksRoute() {
  return <RankScreen {...useReadSearch(readRank)} />
}
