import { DAY_MS, HOUR_MS } from '@clearwell/rules/spans'
import { type ActivityStep, chooser, type StepKind } from './activity-step.ts'
import { planDailyLife } from './daily-plan.ts'

/** Swaps of a user: a few, and at most so many per day. */
const FEWEST_SWAPS = 4
const MORE_SWAPS = 13
const MAX_SWAPS_PER_DAY = 3
/** Users join until shortly before the end, the first ones immediately. */
const LAST_JOIN_BEFORE_MS = 2 * HOUR_MS
/** Above one: more users join early than late. */
const JOINING_POWER = 1.3
/** Wallets pay in the first hour of such a period: those that pay together share their blocks. */
const PAY_EVERY_MS = 8 * HOUR_MS
/** The chance of a step that pledges a small part of the USDT. */
const USDT_PLEDGE = 1
/** The visitor and the first leads, who request a star shortly before the end. */
const EARLY_USERS = 6

export interface ActivitySize {
  readonly users: number
  readonly days: number
  readonly seed: number
}

export interface PlannedSize extends ActivitySize {
  /** True if the first user is the visitor's account, which uses everything from the first day on. */
  readonly hasVisitor: boolean
  /** From the beginning to the first midnight in Hong Kong, in milliseconds. */
  readonly midnightMs: number
}

/** Plans what simulated users do, the earliest first. The same size makes the same plan. */
export function planActivity({ users, days, seed, hasVisitor, midnightMs }: PlannedSize): ActivityStep[] {
  const choose = chooser(`plan ${seed}`)
  const endMs = days * DAY_MS
  const steps: ActivityStep[] = []
  for (let user = 0; user < users; user++) {
    const isVisitor = hasVisitor && user === 0
    const joinMs = inPayingHour((endMs - LAST_JOIN_BEFORE_MS) * (user / users) ** JOINING_POWER + choose(HOUR_MS))
    const add = (kind: StepKind, afterMs: number, chance = choose(2 ** 32)) =>
      steps.push({ afterMs, user, kind, chance })
    const someTime = () => joinMs + 1 + choose(endMs - joinMs - 1)
    const addSeveral = (kind: StepKind, count: number) => {
      for (let n = 0; n < count; n++) add(kind, someTime())
    }
    const addPayments = (kind: StepKind, count: number) => {
      for (let n = 0; n < count; n++) add(kind, Math.max(joinMs + 1, inPayingHour(someTime())))
    }
    add('join', joinMs)
    const most = Math.ceil(((endMs - joinMs) / DAY_MS) * MAX_SWAPS_PER_DAY)
    addSeveral('swap', Math.min(most, isVisitor ? days : FEWEST_SWAPS + choose(MORE_SWAPS)))
    addPayments('transfer_in', isVisitor ? 3 : Number(choose(5) === 0))
    addPayments('transfer_out', isVisitor ? 4 : Number(choose(7) === 0))
    addSeveral('set_alert', isVisitor ? 6 : Number(choose(20) === 0))
    // The visitor pledges USDT soon, so that the first loan finds some.
    if (isVisitor) add('pledge', joinMs + HOUR_MS, USDT_PLEDGE)
    addSeveral('pledge', isVisitor ? 1 : Number(choose(3) === 0))
    addSeveral('borrow', isVisitor ? 4 : Number(choose(3) === 0))
    addSeveral('repay', isVisitor ? 1 : Number(choose(6) === 0))
    planDailyLife({
      joinMs,
      endMs,
      midnightMs,
      isVisitor,
      isEarly: user < EARLY_USERS,
      choose: chooser(`life ${seed} ${user}`),
      add,
    })
  }
  return steps.sort((a, b) => a.afterMs - b.afterMs)
}

/** Moves a time back to the same minute of the paying hour before it. */
function inPayingHour(afterMs: number): number {
  return Math.floor(afterMs / PAY_EVERY_MS) * PAY_EVERY_MS + (Math.floor(afterMs) % HOUR_MS)
}
