import { useCall } from '../../api/use-call.ts'
import { BalanceValues } from './asset-list.tsx'

/** The value available, locked and in use, at a glance on home. Nothing for a user who holds nothing. */
export default function HomePositions() {
  const { data: balances = [] } = useCall('balances', {})
  return balances.some(({ total }) => /[1-9]/.test(total)) && <BalanceValues balances={balances} />
}
