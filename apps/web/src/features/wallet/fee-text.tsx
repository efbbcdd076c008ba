import { formatUnits } from '@clearwell/money/decimal'
import { AmountText } from '../../components/amount-text.tsx'
import { m } from '../../generated/paraglide/messages.js'
import type { ConfiguredAsset } from './wallet.queries.ts'

/** About what the network takes, or that the wallet will say it, while the price of gas is not known. */
export function FeeText({ fee, native }: { fee: bigint | undefined; native: ConfiguredAsset | undefined }) {
  if (fee === undefined || !native) return <span className="text-muted">{m.wallet_fee_unknown()}</span>
  return <AmountText amount={formatUnits(fee, native.decimals)} asset={native.asset} />
}
