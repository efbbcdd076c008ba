import { useReadSearch } from '../app/read-search.ts'
import { readDraft } from '../features/wallet/transfer-draft.ts'
import { TransferInScreen } from '../features/wallet/transfer-in-screen.tsx'

export default function BuyRoute() {
  return <TransferInScreen draft={useReadSearch(readDraft)} />
}
