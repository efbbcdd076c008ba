import { useReadSearch } from '../app/read-search.ts'
import { BuyScreen } from '../features/wallet/buy-screen.tsx'
import { readDraft } from '../features/wallet/transfer-draft.ts'

export default function BuyRoute() {
  return <BuyScreen draft={useReadSearch(readDraft)} />
}
