import { addDays, boundsOfDay, type HongKongDay, hongKongDayOf } from './hong-kong-day.ts'
import { DAY_MS } from './spans.ts'

export const RANK_PERIODS = ['day', 'week', 'all'] as const
export type RankPeriod = (typeof RANK_PERIODS)[number]

/** A stretch of time with separate ranks. */
export interface RankBucket {
  readonly period: RankPeriod
  /** `all`, or the period and its first day, such as `week:2026-11-23`. */
  readonly name: string
  /** null for all time. */
  readonly endsAt: Date | null
}

const DAYS_OF_WEEK = 7
/** 5 January 1970 was a Monday. */
const FIRST_MONDAY_DAYS = 4

/** Returns the bucket of a period that a time belongs to: days of Hong Kong, and weeks of them from Monday. */
export function rankBucketAt(period: RankPeriod, at: Date): RankBucket {
  if (period === 'all') return { period, name: period, endsAt: null }
  const day = hongKongDayOf(at)
  const first = period === 'day' ? day : mondayOf(day)
  const last = period === 'day' ? day : addDays(first, DAYS_OF_WEEK - 1)
  return { period, name: `${period}:${first}`, endsAt: boundsOfDay(last).closesAt }
}

function mondayOf(day: HongKongDay): HongKongDay {
  const days = Date.parse(`${day}T00:00:00Z`) / DAY_MS
  return addDays(day, -((days - FIRST_MONDAY_DAYS) % DAYS_OF_WEEK))
}
