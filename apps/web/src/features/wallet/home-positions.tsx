import { useCall } from '../../api/use-call.ts'
import { AssetList, type Balance, BalanceValues } from './asset-list.tsx'

/** The value available, locked and in use, and the assets held, at a glance on home. Nothing for a user without assets. */
export default function HomePositions() {
  const { data: balances = [] } = useCall('balances', {})
  const held = balances.filter(({ total }) => /[1-9]/.test(total))
  if (held.length === 0) return null
  return <Positions balances={balances} held={held} />
}

/** @param held the balances above zero. */
export function Positions({ balances, held }: { balances: readonly Balance[]; held: readonly Balance[] }) {
  return (
    <div className="flex flex-col gap-4">
      <BalanceValues balances={balances} />
      <AssetList balances={held} />
    </div>
  )
}
