import { createFileRoute } from '@tanstack/react-router'
import { readSearch } from '../../../app/read-search.ts'
import { SellScreen } from '../../../features/wallet/sell-screen.tsx'
import { readDraft } from '../../../features/wallet/transfer-draft.ts'

export const Route = createFileRoute('/{-$locale}/wallet/sell')({
  validateSearch: readDraft,
  component: () => <SellScreen draft={readSearch(readDraft, Route.useSearch())} />,
})
