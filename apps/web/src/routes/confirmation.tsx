import { useReadSearch } from '../app/read-search.ts'
import { ConfirmationScreen } from '../features/wallet/confirmation-screen.tsx'
import { readDraft } from '../features/wallet/transfer-draft.ts'

export default function ConfirmationRoute() {
  return <ConfirmationScreen draft={useReadSearch(readDraft)} />
}
