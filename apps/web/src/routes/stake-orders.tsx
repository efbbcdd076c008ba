import { useReadSearch } from '../app/read-search.ts'
import { CollateralScreen } from '../features/stake/collateral-screen.tsx'
import { LendResultScreen } from '../features/stake/lend-result-screen.tsx'
import { LoanOrdersScreen } from '../features/stake/loan-orders-screen.tsx'
import { readCollateralDraft, readOrdersFilter, readShownLoan } from '../features/stake/stake-search.ts'

/** The loans that were opened. */

export function LendResultRoute() {
  return <LendResultScreen orderId={useReadSearch(readShownLoan).order} />
}

export function LoanOrdersRoute() {
  return <LoanOrdersScreen status={useReadSearch(readOrdersFilter).status} />
}

export function CollateralRoute() {
  return <CollateralScreen draft={useReadSearch(readCollateralDraft)} />
}
