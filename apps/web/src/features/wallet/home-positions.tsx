import { useCall } from '../../api/use-call.ts'
import { PlaceList } from './asset-list.tsx'

/** What I hold by place, at a glance on home. Nothing for a user who holds nothing. */
export default function HomePositions() {
  const { data: balances = [] } = useCall('balances', {})
  return balances.some(({ total }) => /[1-9]/.test(total)) && <PlaceList balances={balances} />
}
