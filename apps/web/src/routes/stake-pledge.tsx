import { useReadSearch } from '../app/read-search.ts'
import { PledgeConfirmScreen } from '../features/stake/pledge-confirm-screen.tsx'
import { PledgeResultScreen } from '../features/stake/pledge-result-screen.tsx'
import { PledgeScreen } from '../features/stake/pledge-screen.tsx'
import { readPledgeDraft } from '../features/stake/stake-search.ts'

/** The three steps of a pledge or a withdrawal. */

export function PledgeRoute() {
  return <PledgeScreen draft={useReadSearch(readPledgeDraft)} />
}

export function PledgeConfirmRoute() {
  return <PledgeConfirmScreen draft={useReadSearch(readPledgeDraft)} />
}

export function PledgeResultRoute() {
  return <PledgeResultScreen />
}
