import { useReadSearch } from '../app/read-search.ts'
import { SendTransactionScreen } from '../features/wallet/send-transaction-screen.tsx'
import { readShown } from './search.ts'

export default function SendTransactionRoute() {
  return <SendTransactionScreen shown={useReadSearch(readShown)} />
}
