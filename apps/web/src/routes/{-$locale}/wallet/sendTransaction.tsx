import { createFileRoute } from '@tanstack/react-router'
import { SendTransactionScreen } from '../../../features/wallet/send-transaction-screen.tsx'

export const Route = createFileRoute('/{-$locale}/wallet/sendTransaction')({
  validateSearch: ({ order }: Record<string, unknown>): { order?: string } =>
    typeof order === 'string' ? { order } : {},
  component: () => <SendTransactionScreen orderId={Route.useSearch().order} />,
})
