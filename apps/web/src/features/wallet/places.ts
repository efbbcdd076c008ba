import type { Answer } from '@clearwell/api/routes'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'

export type Balance = Answer<'balances'>[number]

/** Where value stands, in USDT. */
export interface Places {
  readonly available: string
  readonly locked: string
  /** Pledged, put up as collateral, or deposited in the upgrade hub. */
  readonly positions: string
}

/** What everything is worth, place by place. What has no price is left out, as in the total. */
export function placesOf(balances: readonly Balance[]): Places {
  const sum = { available: 0n, locked: 0n, positions: 0n }
  for (const balance of balances) {
    const total = parseUnits(balance.total, 18) ?? 0n
    if (balance.value_usdt === null || total === 0n) continue
    const value = parseUnits(balance.value_usdt, 18) ?? 0n
    // Down: nothing is shown worth more than it is.
    const worth = (amount: string) => mulDiv(value, parseUnits(amount, 18) ?? 0n, total, 'down')
    sum.available += worth(balance.available)
    sum.locked += worth(balance.locked)
    sum.positions += worth(balance.pledged) + worth(balance.collateral)
  }
  const text = (units: bigint) => formatUnits(units, 18)
  return { available: text(sum.available), locked: text(sum.locked), positions: text(sum.positions) }
}

/** What of an asset is in positions: pledged and put up as collateral. */
export function inPositions({ pledged, collateral }: Balance): string {
  return formatUnits((parseUnits(pledged, 18) ?? 0n) + (parseUnits(collateral, 18) ?? 0n), 18)
}
