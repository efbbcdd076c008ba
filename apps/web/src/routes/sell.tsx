import { useReadSearch } from '../app/read-search.ts'
import { readDraft } from '../features/wallet/transfer-draft.ts'
import { TransferOutScreen } from '../features/wallet/transfer-out-screen.tsx'

export default function SellRoute() {
  return <TransferOutScreen draft={useReadSearch(readDraft)} />
}
