import { usePayload } from '../app/payload.ts'
import { useReadSearch } from '../app/read-search.ts'
import { WhiteScreen } from '../features/white/white-screen.tsx'
import { readSection } from './search.ts'

export default function WhiteRoute() {
  const { section } = useReadSearch(readSection)
  const { data, error, refetch } = usePayload('/white')
  return <WhiteScreen payload={data} error={error} onRetry={refetch} section={section} />
}
