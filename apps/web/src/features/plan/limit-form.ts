import { cutDecimals, formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import { type HongKongDay, hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { priceDecimals } from '@clearwell/ui/i18n/price-text.ts'
import { useState } from 'react'
import { useKeptForm } from '../../account/use-kept-form.ts'
import { serverNowMs } from '../../api/server-clock.ts'
import type { Market } from './plan-form-screen.tsx'
import type { PlanDraft } from './plan-search.ts'
import { dayAfter, typedDay } from './plan-times.ts'
import { feesOf, isReached, leastReceived, priceNow, type Trade, triggerPrice, typedPrice } from './plan-trade.ts'
import { askedTrade, UNTOUCHED_TRADE, useTradeForm } from './use-trade-form.ts'

/** The days of a limit, from a list, or until a day that is chosen. */
export const LIMIT_DAYS = ['1', '7', '30', 'own'] as const
export type LimitDays = (typeof LIMIT_DAYS)[number]

/** How far the price is moved in the favour of the user by the buttons, in percent. */
export const PRICE_STEPS = [1, 5, 10] as const
const FIRST_STEP = 5
/** The days of the last day that the form offers first. */
const FIRST_DAYS = 30

/** The kept fields: a price is of a pair and side, its `priceAt`. */
type LimitFields = typeof UNTOUCHED_TRADE & { price: string; priceAt: string; days: LimitDays; ownDay: string }

/** A price some percent better for the user than the pool's. */
function betterBy(percent: number, { pair, inverse }: Trade): string {
  const part = BigInt(inverse ? 100 - percent : 100 + percent)
  const units = mulDiv(parseUnits(pair.price, 18) ?? 0n, part, 100n, 'down')
  return cutDecimals(formatUnits(units, 18), priceDecimals(pair.price))
}

/** The kept form of a limit. */
export const LIMIT_FORM = 'plan-limit'

/** The content of the form of a limit, and its figures. */
export function useLimitForm({ config, pairs }: Pick<Market, 'config' | 'pairs'>, draft: PlanDraft) {
  const today = new Date(serverNowMs() ?? Date.now())
  const kept = useKeptForm<LimitFields>(
    LIMIT_FORM,
    { ...UNTOUCHED_TRADE, price: '', priceAt: '', days: '30', ownDay: dayAfter(today, FIRST_DAYS) },
    askedTrade(pairs, draft),
  )
  const { price: typed, priceAt, days, ownDay } = kept.fields
  const form = useTradeForm({ config, pairs }, kept, { draft })
  const { trade, units } = form
  // A price is kept only on its pair and side: at another it means something else.
  const at = `${trade.pair.symbol} ${trade.inverse}`
  const first = useFirstPrice(at, trade)
  const priceText = priceAt === at ? typed : first
  const price = typedPrice(priceText)
  // The pool's price moves on: a step stays chosen as long as its price is in the field.
  const [taken, setTaken] = useState<{ percent: number; price: string }>()
  const typePrice = (price: string) => kept.change({ ...form.chosen, price, priceAt: at })
  const fees = feesOf(config)
  const now = units === undefined ? undefined : priceNow(trade, fees, units)
  const isKnown = units !== undefined && price !== undefined
  const trigger = isKnown ? triggerPrice(trade, fees, units, price) : undefined
  // The last moment of a day counts.
  const maxDay = dayAfter(today, config.plans.limit_days - 1)
  return {
    ...form,
    priceText,
    price,
    typePrice,
    /** The step whose price is in the field, in percent. */
    step: priceText === taken?.price ? taken.percent : priceText === first ? FIRST_STEP : undefined,
    takeStep(percent: number): void {
      const price = betterBy(percent, trade)
      setTaken({ percent, price })
      typePrice(price)
    },
    days,
    chooseDays: (next: LimitDays) => kept.change({ days: next }),
    today: hongKongDayOf(today),
    ownDay,
    chooseDay: (day: string | undefined) => kept.change({ ownDay: day ?? '' }),
    maxDay,
    lastDay: lastDayOf(days, ownDay, { today, maxDay }),
    /** The price that the pool gives for the amount now. */
    now,
    least: isKnown ? leastReceived(trade, units, price) : undefined,
    trigger,
    /** The pool is too small for this amount at this price. */
    isOutOfReach: isKnown && trigger === undefined,
    isReached: price !== undefined && now !== undefined && isReached(trade, price, now),
  }
}

export type LimitForm = ReturnType<typeof useLimitForm>

/** A price to start with on each pair and side. The pool's price moves; a price in a field does not. */
function useFirstPrice(at: string, trade: Trade): string {
  const [firsts] = useState(() => new Map<string, string>())
  const first = firsts.get(at) ?? betterBy(FIRST_STEP, trade)
  firsts.set(at, first)
  return first
}

/** The last day of a limit; `undefined` while it is typed, or where it is past or too far ahead. */
function lastDayOf(
  days: LimitDays,
  ownDay: string,
  { today, maxDay }: { today: Date; maxDay: HongKongDay },
): HongKongDay | undefined {
  if (days !== 'own') return dayAfter(today, Number(days))
  const day = typedDay(ownDay)
  return day !== undefined && day >= hongKongDayOf(today) && day <= maxDay ? day : undefined
}
