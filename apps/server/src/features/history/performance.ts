import type { EntryKind } from '@clearwell/api/parts'
import type { ResponseOf } from '@clearwell/api/routes'
import type { HourlyFlow } from '@clearwell/ledger/read-flows'
import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import { E18 } from '@clearwell/money/scale'

/** The kinds of entries that change a user's value without being a gain or a loss, by the figure that they belong to. */
const FLOWS = {
  deposit: 'in',
  deposit_reversal: 'in',
  withdrawal: 'out',
  withdrawal_reversal: 'out',
  activation: 'activation',
} as const satisfies Partial<Record<EntryKind, string>>
type FlowKind = keyof typeof FLOWS

export const FLOW_KINDS = Object.keys(FLOWS) as FlowKind[]

/** Values in base units of USDT. Positive `in` came to the user; positive `out` and `activation` left. */
export interface ValuedFlows {
  readonly in: bigint
  readonly out: bigint
  readonly activation: bigint
}

/**
 * Values flows at the price of their hour, rounded down. All flows of an hour have the same price, since past prices are
 * the closes of hours.
 *
 * @returns `undefined` if one of them has no price.
 */
export async function valueFlows(
  pricesAt: (asset: AssetId, times: readonly Date[]) => Promise<readonly (bigint | undefined)[]>,
  flows: readonly HourlyFlow[],
): Promise<ValuedFlows | undefined> {
  const valued = { in: 0n, out: 0n, activation: 0n }
  for (const [asset, ofAsset] of Map.groupBy(flows, (flow) => flow.asset)) {
    const prices = await pricesAt(
      asset,
      ofAsset.map((flow) => flow.at),
    )
    for (const [index, { kind, units }] of ofAsset.entries()) {
      const price = prices[index]
      if (price === undefined) return undefined
      const figure = FLOWS[kind as FlowKind]
      valued[figure] += figure === 'in' ? usdtOf(units, price) : -usdtOf(units, price)
    }
  }
  return valued
}

/** The value of a user's assets and of the debts, in base units of USDT. */
export interface Wealth {
  readonly held: bigint
  readonly owed: bigint
}

/** The change of a user's net value that its flows do not explain. A loan changes assets and debts alike, so it is none. */
export function performanceOf({
  since,
  start,
  end,
  flows,
}: {
  since: Date
  start: Wealth
  end: Wealth
  flows: ValuedFlows
}): NonNullable<ResponseOf<'summary'>['performance']> {
  const startNet = start.held - start.owed
  const change = end.held - end.owed - startNet - flows.in + flows.out + flows.activation
  const invested = startNet + flows.in
  const text = (units: bigint) => formatUnits(units, ASSET_DECIMALS.USDT)
  return {
    since: since.toISOString(),
    start_usdt: text(start.held),
    start_net_usdt: text(startNet),
    transferred_in_usdt: text(flows.in),
    transferred_out_usdt: text(flows.out),
    activation_usdt: text(flows.activation),
    borrowed_usdt: text(end.owed - start.owed),
    change_usdt: text(change),
    change: invested > 0n ? formatUnits(fractionE18(change, invested), 18) : null,
  }
}

/** Rounded toward zero, so that no flow is overstated. */
function usdtOf(units: bigint, priceE18: bigint): bigint {
  return units < 0n ? -mulDiv(-units, priceE18, E18, 'down') : mulDiv(units, priceE18, E18, 'down')
}

function fractionE18(change: bigint, invested: bigint): bigint {
  return change < 0n ? -mulDiv(-change, E18, invested, 'down') : mulDiv(change, E18, invested, 'down')
}
