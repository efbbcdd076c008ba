import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'
import { useBalances } from './plan.queries.ts'
import type { Market } from './plan-form-screen.tsx'
import type { PlanDraft } from './plan-search.ts'
import { amountUnits, boughtAsset, type Pair, soldAsset, type Trade, usdtSide } from './plan-trade.ts'
import { shortAmount } from './plan-words.ts'

/** An untouched form of a plan: pair, side and amount come from its link, or are the first ones. */
export const UNTOUCHED_TRADE = { pair: '', side: '', amount: '' }

/** The kept fields of a plan's form. */
export interface KeptTrade {
  readonly fields: typeof UNTOUCHED_TRADE
  change(fields: Partial<typeof UNTOUCHED_TRADE>): void
}

/** The fields that a link asks for. Without an amount, its pair and side only start an untouched form. */
export function askedTrade(
  pairs: readonly Pair[],
  { pair: symbol, sell, amount }: PlanDraft,
): Partial<typeof UNTOUCHED_TRADE> {
  const pair = pairs.find((each) => each.symbol === symbol)
  if (!pair || amount === undefined || (sell !== pair.base && sell !== pair.quote)) return {}
  return { pair: pair.symbol, side: sell === pair.quote ? 'buy' : 'sell', amount }
}

/** The pair, side and amount of a new plan: from the link at first, then as the user chooses. */
export function useTradeForm(
  { config, pairs }: Pick<Market, 'config' | 'pairs'>,
  { fields, change }: KeptTrade,
  { draft, buysFirst = false }: { draft: PlanDraft; buysFirst?: boolean },
) {
  const asked = pairs.find(({ symbol }) => symbol === draft.pair)
  const pair = pairs.find(({ symbol }) => symbol === fields.pair) ?? asked ?? pairs[0]
  const isAsked = pair === asked && (draft.sell === pair.base || draft.sell === pair.quote)
  const inverse = fields.side === '' ? (isAsked ? draft.sell === pair.quote : buysFirst) : fields.side === 'buy'
  const trade: Trade = { pair, inverse }
  const { amount } = fields
  const chosen = { pair: pair.symbol, side: inverse ? 'buy' : 'sell' }

  /** An amount is kept only where the same asset is sold. */
  function changeTrade(next: Trade): void {
    const keeps = soldAsset(next) === soldAsset(trade)
    change({ pair: next.pair.symbol, side: next.inverse ? 'buy' : 'sell', amount: keeps ? amount : '' })
  }

  const sold = soldAsset(trade)
  const available = useBalances()?.find(({ asset }) => asset === sold)?.available
  const units = amountUnits(amount, trade)
  const held = available === undefined ? undefined : parseUnits(available, ASSET_DECIMALS[sold])
  return {
    pairs,
    trade,
    /** Pair and side, which a change of any field keeps. */
    chosen,
    sold,
    bought: boughtAsset(trade),
    amount,
    /** In base units of the sold asset; `undefined` while there is none. */
    units,
    /** Of the sold asset; `undefined` for a visitor and while it is not known. */
    available,
    /** The least worth of a run, with its asset. */
    leastWorth: shortAmount(config.plans.least_usdt, 'USDT'),
    /** Returns whether the amount is worth too little at a price. The server decides by its own price. */
    isTooSmall: (price: string) =>
      units !== undefined && usdtSide(trade, units, price) < (parseUnits(config.plans.least_usdt, 18) ?? 0n),
    /** The balance of now would not do. It may when the plan runs. */
    isShort: units !== undefined && held !== undefined && units > held,
    typeAmount: (text: string) => change({ ...chosen, amount: text }),
    choosePair: (symbol: string) =>
      changeTrade({ pair: pairs.find((each) => each.symbol === symbol) ?? pair, inverse }),
    chooseSide: (side: 'sell' | 'buy') => changeTrade({ pair, inverse: side === 'buy' }),
  }
}

export type TradeForm = ReturnType<typeof useTradeForm>
