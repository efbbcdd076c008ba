import { createFileRoute } from '@tanstack/react-router'
import { readSearch } from '../../../app/read-search.ts'
import { ConfirmationScreen } from '../../../features/wallet/confirmation-screen.tsx'
import { readDraft } from '../../../features/wallet/transfer-draft.ts'

export const Route = createFileRoute('/{-$locale}/wallet/confirmation')({
  validateSearch: readDraft,
  component: () => <ConfirmationScreen draft={readSearch(readDraft, Route.useSearch())} />,
})
