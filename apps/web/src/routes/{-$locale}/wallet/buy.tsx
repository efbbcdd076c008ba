import { createFileRoute } from '@tanstack/react-router'
import { readSearch } from '../../../app/read-search.ts'
import { BuyScreen } from '../../../features/wallet/buy-screen.tsx'
import { readDraft } from '../../../features/wallet/transfer-draft.ts'

export const Route = createFileRoute('/{-$locale}/wallet/buy')({
  validateSearch: readDraft,
  component: () => <BuyScreen draft={readSearch(readDraft, Route.useSearch())} />,
})
