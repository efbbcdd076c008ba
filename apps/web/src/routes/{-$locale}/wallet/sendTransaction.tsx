import { createFileRoute } from '@tanstack/react-router'
import { readSearch } from '../../../app/read-search.ts'
import { SendTransactionScreen, type ShownTransfer } from '../../../features/wallet/send-transaction-screen.tsx'

export const Route = createFileRoute('/{-$locale}/wallet/sendTransaction')({
  validateSearch: readShown,
  component: () => <SendTransactionScreen shown={readSearch(readShown, Route.useSearch())} />,
})

function readShown({ order, way }: Record<string, unknown>): ShownTransfer {
  return {
    ...(typeof order === 'string' ? { order } : {}),
    ...(way === 'out' ? { way } : {}),
  }
}
