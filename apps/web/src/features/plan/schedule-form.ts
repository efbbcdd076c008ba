import { parseUnits } from '@clearwell/money/decimal'
import { type HongKongDay, hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { nextScheduledHour, type PlanInterval } from '@clearwell/rules/plans'
import { useState } from 'react'
import { useKeptForm } from '../../account/use-kept-form.ts'
import type { ConfigWith } from '../../api/config.ts'
import { serverNowMs } from '../../api/server-clock.ts'
import type { Market } from './plan-form-screen.tsx'
import type { PlanDraft } from './plan-search.ts'
import { dayAfter, endOfDay, typedDay } from './plan-times.ts'
import { askedTrade, UNTOUCHED_TRADE, useTradeForm } from './use-trade-form.ts'

export const INTERVALS = ['day', 'week', 'month'] as const satisfies readonly PlanInterval[]

const PRESETS = ['0.001', '0.005', '0.01', '0.03']

/** An hour of the day at which Hong Kong is awake. */
const FIRST_HOUR = 9
/** The runs that the form names. */
const SHOWN_RUNS = 3
/** The last day that the form offers first. */
const FIRST_END_DAYS = 90

/** The times of a schedule. */
export interface Times {
  readonly every: PlanInterval
  readonly hour: number
  readonly firstDay: HongKongDay
  /** `undefined` for a schedule without an end. */
  readonly lastDay: HongKongDay | undefined
}

/** The kept form of a schedule. */
export const SCHEDULE_FORM = 'plan-schedule'

type ScheduleFields = typeof UNTOUCHED_TRADE & {
  every: PlanInterval
  hour: number
  first: string
  hasEnd: boolean
  last: string
  slippage: string
}

/** The content of the form of a schedule, and its next runs. */
export function useScheduleForm({ config, pairs }: Pick<Market, 'config' | 'pairs'>, draft: PlanDraft) {
  const [today] = useState(() => new Date(serverNowMs() ?? Date.now()))
  const { fields, change } = useKeptForm<ScheduleFields>(
    SCHEDULE_FORM,
    {
      ...UNTOUCHED_TRADE,
      every: 'week',
      hour: FIRST_HOUR,
      first: dayAfter(today, 1),
      hasEnd: false,
      last: dayAfter(today, FIRST_END_DAYS),
      slippage: config.plans.slippage,
    },
    askedTrade(pairs, draft),
  )
  const { every, hour, first: firstText, hasEnd, last: lastText, slippage } = fields
  const form = useTradeForm({ config, pairs }, { fields, change }, { draft, buysFirst: true })
  const typedFirst = typedDay(firstText)
  const firstDay = typedFirst !== undefined && typedFirst >= hongKongDayOf(today) ? typedFirst : undefined
  const typedLast = typedDay(lastText)
  const lastDay = typedLast !== undefined && firstDay !== undefined && typedLast >= firstDay ? typedLast : undefined
  const times =
    firstDay && (!hasEnd || lastDay) ? { every, hour, firstDay, lastDay: hasEnd ? lastDay : undefined } : undefined
  return {
    ...form,
    today: hongKongDayOf(today),
    every,
    setEvery: (next: PlanInterval) => change({ every: next }),
    hour,
    setHour: (next: number) => change({ hour: next }),
    firstText,
    setFirstDay: (day: string | undefined) => change({ first: day ?? '' }),
    isFirstPast: firstDay === undefined,
    hasEnd,
    setHasEnd: (next: boolean) => change({ hasEnd: next }),
    lastText,
    setLastDay: (day: string | undefined) => change({ last: day ?? '' }),
    isLastEarly: hasEnd && firstDay !== undefined && lastDay === undefined,
    slippage,
    slippages: slippagesOf(config.plans),
    setSlippage: (next: string) => change({ slippage: next }),
    maxSkipped: config.plans.max_skipped,
    /** `undefined` while a day is missing or wrong. */
    times,
    runs: times === undefined ? [] : nextRuns(times, today, SHOWN_RUNS),
  }
}

export type ScheduleForm = ReturnType<typeof useScheduleForm>

/** The first runs of a schedule from now on, as the moments at which their hours open. */
export function nextRuns({ every, hour, firstDay, lastDay }: Times, now: Date, count: number): string[] {
  const runs: string[] = []
  let notBefore = now
  while (runs.length < count) {
    const { opensAt } = nextScheduledHour({ anchor: firstDay, every, hour, notBefore })
    if (lastDay !== undefined && opensAt.toISOString() >= endOfDay(lastDay)) break
    runs.push(opensAt.toISOString())
    notBefore = new Date(opensAt.getTime() + 1)
  }
  return runs
}

/** The slippages to choose from, as fractions: some that are allowed, and the default. */
export function slippagesOf({ slippage, max_slippage }: ConfigWith<'plans'>['plans']): string[] {
  const e18 = (fraction: string) => parseUnits(fraction, 18) ?? 0n
  const allowed = PRESETS.filter((each) => e18(each) <= e18(max_slippage))
  return [...new Set([...allowed, slippage])].toSorted((one, other) => (e18(one) < e18(other) ? -1 : 1))
}
