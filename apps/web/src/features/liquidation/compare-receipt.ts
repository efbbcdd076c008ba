import { formatUnits } from '@clearwell/money/decimal'
import { replayReceipt } from '@clearwell/rules/replay-receipt'
import type { Receipt } from './liquidation.queries.ts'

const DECIMALS = 18

type Figure = Exclude<keyof Receipt['steps'], 'is_over_limit' | 'is_overdue'>

/** A receipt beside the same liquidation computed in this browser. */
export interface Comparison {
  /** Each figure as computed here, plain decimal text. */
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
    ltv: done.ltvE18 === undefined ? '' : text(done.ltvE18),
    factor: formatUnits(done.factorBps, 4),
    owed_collateral: text(done.owedCollateral),
    paid: text(done.paid),
    received: text(done.received),
    returned: text(done.returned),
    shortfall: text(done.shortfall),
    paid_by_insurance: text(done.paidByInsurance),
    lost_by_pledgers: text(done.lostByPledgers),
    profit: text(done.profit),
  }
  const figures = Object.keys(computed) as Figure[]
  const isEqual = Object.fromEntries(
    figures.map((figure) => [figure, computed[figure] === (receipt.steps[figure] ?? '')]),
  ) as Record<Figure, boolean>
  return { computed, isEqual, isAllEqual: figures.every((figure) => isEqual[figure]) }
}

function text(units: bigint): string {
  return formatUnits(units, DECIMALS)
}
