import { formatUnits } from '@clearwell/money/decimal'
import { replayReceipt } from '@clearwell/rules/stored-receipt'
import type { Receipt } from './liquidation.queries.ts'

const DECIMALS = 18
const STATUS_AFTER = { liquidated: '-1', to_be_cleared: '0', normal: '2' } as const

type Figure = Exclude<keyof Receipt['steps'], 'is_over_limit' | 'is_overdue'>

/** A receipt beside the same liquidation computed in this browser. */
export interface Comparison {
  /** Each figure as computed here, plain decimal text; empty where there is none. */
  readonly computed: Readonly<Record<Figure, string>>
  readonly isEqual: Readonly<Record<Figure, boolean>>
  /** All figures are equal, to the unit. */
  readonly isAllEqual: boolean
}

/** Repeats a liquidation from the inputs of its receipt, with the rules that the server decides by. */
export function compareReceipt(receipt: Receipt): Comparison {
  const done = replayReceipt(receipt)
  const computed: Record<Figure, string> = {
    interest: text(done.interest),
    total_debt: text(done.debt),
    ltv: optionalText(done.ltvE18),
    max_amount: text(done.allowed.most),
    factor: formatUnits(done.factorBps, 4),
    debt_ended: text(done.ended),
    interest_ended: text(done.interestEnded),
    principal_ended: text(done.principalEnded),
    by_factor: text(done.byFactor),
    by_share: text(done.byShare),
    paid: text(done.paid),
    received: text(done.received),
    returned: text(done.returned),
    kept: text(done.kept),
    shortfall: text(done.shortfall),
    paid_by_insurance: text(done.paidByInsurance),
    lost_by_pledgers: text(done.lostByPledgers),
    profit: done.profit < 0n ? `-${text(-done.profit)}` : text(done.profit),
    remaining_debt: text(done.after.total),
    ltv_after: optionalText(done.after.ltvE18),
    status_after: STATUS_AFTER[done.after.state],
  }
  const figures = Object.keys(computed) as Figure[]
  const isEqual = Object.fromEntries(
    figures.map((figure) => [figure, computed[figure] === String(receipt.steps[figure] ?? '')]),
  ) as Record<Figure, boolean>
  return { computed, isEqual, isAllEqual: figures.every((figure) => isEqual[figure]) }
}

function optionalText(value: bigint | undefined): string {
  return value === undefined ? '' : text(value)
}

function text(units: bigint): string {
  return formatUnits(units, DECIMALS)
}
