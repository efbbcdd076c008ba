import { useReadSearch } from '../app/read-search.ts'
import { SellScreen } from '../features/wallet/sell-screen.tsx'
import { readDraft } from '../features/wallet/transfer-draft.ts'

export default function SellRoute() {
  return <SellScreen draft={useReadSearch(readDraft)} />
}
