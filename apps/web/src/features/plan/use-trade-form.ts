import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'
import { useState } from 'react'
import { useBalances } from './plan.queries.ts'
import type { Market } from './plan-form-screen.tsx'
import type { PlanDraft } from './plan-search.ts'
import { amountUnits, boughtAsset, soldAsset, type Trade, usdtSide } from './plan-trade.ts'
import { shortAmount } from './plan-words.ts'

/** The pair, side and amount of a new plan: from the link at first, then as the user chooses. */
export function useTradeForm(
  { config, pairs }: Pick<Market, 'config' | 'pairs'>,
  draft: PlanDraft,
  { buysFirst = false }: { buysFirst?: boolean } = {},
) {
  const [chosen, setChosen] = useState<{ symbol?: string; inverse?: boolean; amount?: string }>({})
  const asked = pairs.find(({ symbol }) => symbol === draft.pair)
  const pair = pairs.find(({ symbol }) => symbol === chosen.symbol) ?? asked ?? pairs[0]
  const isAsked = pair === asked && (draft.sell === pair.base || draft.sell === pair.quote)
  const inverse = chosen.inverse ?? (isAsked ? draft.sell === pair.quote : buysFirst)
  const trade: Trade = { pair, inverse }
  const amount = chosen.amount ?? (isAsked && draft.sell === soldAsset(trade) ? (draft.amount ?? '') : '')

  /** An amount is kept only where the same asset is sold. */
  function change(next: Trade): void {
    const keeps = soldAsset(next) === soldAsset(trade)
    setChosen({ symbol: next.pair.symbol, inverse: next.inverse, amount: keeps ? amount : '' })
  }

  const sold = soldAsset(trade)
  const available = useBalances()?.find(({ asset }) => asset === sold)?.available
  const units = amountUnits(amount, trade)
  const held = available === undefined ? undefined : parseUnits(available, ASSET_DECIMALS[sold])
  return {
    pairs,
    trade,
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
    typeAmount: (text: string) => setChosen({ symbol: pair.symbol, inverse, amount: text }),
    choosePair: (symbol: string) => change({ pair: pairs.find((each) => each.symbol === symbol) ?? pair, inverse }),
    chooseSide: (side: 'sell' | 'buy') => change({ pair, inverse: side === 'buy' }),
  }
}

export type TradeForm = ReturnType<typeof useTradeForm>
