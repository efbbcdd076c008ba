import { useConfig } from '../../api/config.ts'
import { useCall } from '../../api/use-call.ts'
import { useExit } from './exit.queries.ts'
import { lockedByAdvance } from './locked-by-advance.ts'
import { OwedAdvances } from './owed-advances.tsx'

const POLL_MS = 15_000

/** Part of the wallet: the advance that the account owes, and the balance that it locks. Nothing where it owes none. */
export default function AdvanceSlot() {
  const hasExits = useConfig()?.vault_exits === true
  return hasExits && <OwnAdvance />
}

function OwnAdvance() {
  const { data: exit } = useExit({ pollMs: POLL_MS })
  const { data: balances = [] } = useCall('balances', {})
  if (exit?.state !== 'none') return null
  return <OwedAdvances owed={exit.owed} locked={lockedByAdvance(exit, balances)} />
}
