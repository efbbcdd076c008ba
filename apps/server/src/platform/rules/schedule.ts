import { DAY_MS } from '@clearwell/rules/spans'
import type { Rule } from './rule.ts'

/** Days between the announcement of a change that can worsen a user's position and its start. */
const NOTICE_DAYS = 7

/** A value of a rule, and the time from which it counts. */
export interface Scheduled<Value> {
  readonly value: Value
  readonly from: Date
  /** The number of its change; 0 for the first value. */
  readonly change: number
}

/** The values of a rule in the order of their start: the one in force, and those that are announced. Never empty. */
export type Schedule<Value> = readonly Scheduled<Value>[]

/** Returns the value in force at a time. Before the first start, the first one counts. */
export function valueAt<Value>(schedule: Schedule<Value>, now: Date): Value {
  const nowMs = now.getTime()
  const found = schedule.findLast(({ from }) => from.getTime() <= nowMs) ?? schedule[0]
  if (!found) throw new Error('a rule has no value')
  return found.value
}

/** Returns the value in force and those after it. */
export function followingAt<Value>(schedule: Schedule<Value>, now: Date): Schedule<Value> {
  const index = schedule.findLastIndex(({ from }) => from <= now)
  return schedule.slice(Math.max(index, 0))
}

/**
 * Returns the earliest start of a change that is announced now. A change that worsens any value from now on needs notice, and no change
 * overtakes one that was announced before.
 */
export function earliestStart<Value>(
  rule: Pick<Rule<Value>, 'worsens'>,
  schedule: Schedule<Value>,
  { after, now }: { readonly after: Value; readonly now: Date },
): { readonly at: Date; readonly worsens: boolean } {
  const following = followingAt(schedule, now)
  const worsens = following.some(({ value }) => rule.worsens(value, after))
  const noticeMs = now.getTime() + (worsens ? NOTICE_DAYS * DAY_MS : 0)
  return { at: new Date(Math.max(noticeMs, ...following.map(({ from }) => from.getTime()))), worsens }
}
