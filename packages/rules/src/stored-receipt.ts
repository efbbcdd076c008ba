import { parseUnits } from '@clearwell/money/decimal'
import { type PartSettlement, settlePart } from './part-settlement.ts'

/**
 * The inputs of a liquidation as the call `/Stake/receipt` sends them. Every asset has 18 decimals in the ledger. `index` has 27
 * decimals, ratios and factors have 4.
 */
export interface StoredReceipt {
  readonly created_at: string
  readonly inputs: {
    readonly collateral_amount: string
    readonly principal: string
    readonly debt_shares: string
    readonly index: string
    /** The debt that ended. */
    readonly amount: string
    readonly repayment_time: string
    readonly collateral_price: string
    readonly lending_price: string
    /** The better prices for the borrower: the higher of the collateral, the lower of the borrowed asset. */
    readonly collateral_price_high: string
    readonly lending_price_low: string
    readonly ltv_liquidation: string
    readonly ltv_whole: string
    readonly liquidation_part: string
    readonly small_order_loans: number
    readonly factor_liquidation: string
    readonly factor_overdue: string
    readonly factor_floor: string
    readonly min_loan: string
    readonly insurance: string
  }
}

/**
 * Computes a liquidation again from its receipt, to the unit.
 *
 * @throws RangeError for a text that no receipt contains.
 */
export function replayReceipt({ created_at, inputs }: StoredReceipt): PartSettlement {
  return settlePart({
    debt: { principal: units(inputs.principal), debtShares: units(inputs.debt_shares) },
    indexE27: indexOf(inputs.index),
    collateral: units(inputs.collateral_amount),
    prices: { collateral: units(inputs.collateral_price), borrowed: units(inputs.lending_price) },
    betterPrices: { collateral: units(inputs.collateral_price_high), borrowed: units(inputs.lending_price_low) },
    part: units(inputs.amount),
    at: seconds(created_at),
    repaymentTime: seconds(inputs.repayment_time),
    rules: {
      liquidationBps: units(inputs.ltv_liquidation, 4),
      wholeBps: units(inputs.ltv_whole, 4),
      partBps: units(inputs.liquidation_part, 4),
      smallOrderLoans: BigInt(inputs.small_order_loans),
      bonusBps: units(inputs.factor_liquidation, 4),
      overdueBonusBps: units(inputs.factor_overdue, 4),
      floorBps: units(inputs.factor_floor, 4),
      leastLoan: units(inputs.min_loan),
    },
    insurance: units(inputs.insurance),
  })
}

function units(text: string, decimals = 18): bigint {
  const parsed = parseUnits(text, decimals)
  if (parsed === undefined) throw new RangeError(`replayReceipt: ${text} is no amount`)
  return parsed
}

/** An index has more decimals than an amount of money, so `parseUnits` does not read it. */
function indexOf(text: string): bigint {
  const match = /^(0|[1-9]\d{0,29})(?:\.(\d{1,27}))?$/.exec(text)
  if (!match) throw new RangeError(`replayReceipt: ${text} is no index`)
  return BigInt(`${match[1]}${(match[2] ?? '').padEnd(27, '0')}`)
}

function seconds(text: string): bigint {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) throw new RangeError(`replayReceipt: ${text} is no time`)
  return BigInt(Math.floor(ms / 1_000))
}
