import { createFileRoute } from '@tanstack/react-router'
import { BuyScreen } from '../../../features/wallet/buy-screen.tsx'
import { readDraft } from '../../../features/wallet/transfer-draft.ts'

export const Route = createFileRoute('/{-$locale}/wallet/buy')({
  validateSearch: readDraft,
  component: () => <BuyScreen draft={Route.useSearch()} />,
})
