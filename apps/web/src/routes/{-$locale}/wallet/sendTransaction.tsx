import { createFileRoute } from '@tanstack/react-router'
import { SendTransactionScreen, type ShownTransfer } from '../../../features/wallet/send-transaction-screen.tsx'

export const Route = createFileRoute('/{-$locale}/wallet/sendTransaction')({
  validateSearch: ({ order, way }: Record<string, unknown>): ShownTransfer => ({
    ...(typeof order === 'string' ? { order } : {}),
    ...(way === 'out' ? { way } : {}),
  }),
  component: () => <SendTransactionScreen shown={Route.useSearch()} />,
})
