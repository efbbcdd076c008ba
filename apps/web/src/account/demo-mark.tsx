import { DEMO_VISITOR_ADDRESS } from '@clearwell/api/demo-visitor'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { useConfig } from '../api/config.ts'
import { m } from '../generated/messages.ts'
import { useAccountAddress } from './use-account.ts'

/** Marks figures that simulated users made. Nothing without demo data. */
export function DemoMark() {
  return useConfig()?.demo ? <Badge>{m.account_simulated_users()}</Badge> : null
}

/** Marks the history of the account that demo data fills in for visitors. Nothing for another account. */
export function DemoAccountMark() {
  const isFilled = useConfig()?.demo
  const address = useAccountAddress()
  return isFilled && address === DEMO_VISITOR_ADDRESS ? <Badge>{m.account_demo()}</Badge> : null
}
