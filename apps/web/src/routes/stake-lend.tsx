import { useReadSearch } from '../app/read-search.ts'
import { LendConfirmScreen } from '../features/stake/lend-confirm-screen.tsx'
import { LendScreen } from '../features/stake/lend-screen.tsx'
import { readLoanDraft } from '../features/stake/stake-search.ts'

/** The first two steps of a loan. */

export function LendRoute() {
  return <LendScreen draft={useReadSearch(readLoanDraft)} />
}

export function LendConfirmRoute() {
  return <LendConfirmScreen draft={useReadSearch(readLoanDraft)} />
}
