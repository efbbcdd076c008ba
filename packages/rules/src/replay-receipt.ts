import { parseUnits } from '@clearwell/money/decimal'
import { type Settlement, settle } from './settlement.ts'

/** The inputs of a liquidation as the call `/Stake/receipt` sends them. Every asset has 18 decimals in the ledger. */
export interface ReceiptText {
  readonly created_at: string
  readonly inputs: {
    readonly collateral_amount: string
    readonly principal: string
    readonly rate: string
    readonly accrued: string
    readonly accrued_at: string
    readonly repayment_time: string
    readonly collateral_price: string
    readonly lending_price: string
    readonly ltv_liquidation: string
    readonly factor_liquidation: string
    readonly factor_overdue: string
    readonly insurance: string
  }
}

/**
 * Computes a liquidation again from its receipt, to the unit.
 *
 * @throws RangeError for a text that no receipt contains.
 */
export function replayReceipt({ created_at, inputs }: ReceiptText): Settlement {
  return settle({
    debt: {
      principal: units(inputs.principal),
      rateE18: units(inputs.rate),
      accrued: whole(inputs.accrued),
      accruedAt: seconds(inputs.accrued_at),
    },
    collateral: units(inputs.collateral_amount),
    prices: { collateral: units(inputs.collateral_price), borrowed: units(inputs.lending_price) },
    at: seconds(created_at),
    repaymentTime: seconds(inputs.repayment_time),
    rules: {
      liquidationBps: units(inputs.ltv_liquidation, 4),
      bonusBps: units(inputs.factor_liquidation, 4),
      overdueBonusBps: units(inputs.factor_overdue, 4),
    },
    insurance: units(inputs.insurance),
  })
}

function units(text: string, decimals = 18): bigint {
  const parsed = parseUnits(text, decimals)
  if (parsed === undefined) throw new RangeError(`replayReceipt: ${text} is no amount`)
  return parsed
}

function whole(text: string): bigint {
  if (!/^\d+$/.test(text)) throw new RangeError(`replayReceipt: ${text} is no whole number`)
  return BigInt(text)
}

function seconds(text: string): bigint {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) throw new RangeError(`replayReceipt: ${text} is no time`)
  return BigInt(Math.floor(ms / 1_000))
}
