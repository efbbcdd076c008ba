import { boundsOfDay, hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { DAY_MS, HOUR_MS } from '@clearwell/rules/spans'
import type { MovableClock } from '@clearwell/server/src/platform/time/clock.ts'
import { type ActivitySize, planActivity } from './activity-plan.ts'
import type { ActivityStep } from './activity-step.ts'
import { call } from './calls.ts'
import { planInvitations } from './invitation-plan.ts'
import type { PaymentContext } from './simulated-payments.ts'
import { createSimulatedUser, type SimulatedUser } from './simulated-user.ts'
import { takeHour } from './take-hour.ts'

/** Between two looks at the market: the pools follow it, and alerts are reached. */
const MARKET_EVERY_MS = 2 * HOUR_MS

export interface ActivityContext extends PaymentContext {
  readonly clock: MovableClock
  /** Runs what is due by time and price. */
  readonly runDue: () => Promise<void>
  /** Runs what is due by price alone. */
  readonly followMarket: () => Promise<void>
  /** The moments at which an advance stops and runs what is due, beside its end. */
  readonly stopsBetween: (from: Date, to: Date) => Promise<readonly Date[]>
}

export interface Activity extends ActivitySize {
  /** When it begins. Steps before the clock's time are taken as done. */
  readonly from: Date
  /** True if the first user is the visitor's account. */
  readonly hasVisitor: boolean
  readonly onDay?: (done: { readonly day: number; readonly users: number; readonly swaps: number }) => void
}

/**
 * Fills in activity through the calls that users make, with wallets that really sign and payments on the local chain. The
 * clock moves along, and steps of the same hour happen together. The same seed makes the same users and the same choices.
 */
export async function simulateActivity(
  context: ActivityContext,
  { from, days, hasVisitor, onDay = () => {}, ...size }: Activity,
): Promise<{ users: number; swaps: number }> {
  const users = createUsers(size, hasVisitor)
  const midnightMs = boundsOfDay(hongKongDayOf(from)).closesAt.getTime() - from.getTime()
  const steps = planActivity({ ...size, days, hasVisitor, midnightMs })
  const startedMs = context.clock.now().getTime() - from.getTime()
  const left = steps.filter(({ afterMs }) => afterMs >= startedMs)
  const advanceTo = (afterMs: number) => advance(context, from.getTime() + afterMs)
  const pools = await call(context, 'pairs', {})
  let swaps = 0
  let dueMs = startedMs
  for (const hour of hoursOf(left)) {
    const hourMs = hour[0]?.afterMs ?? 0
    for (; dueMs < hourMs; dueMs += MARKET_EVERY_MS) {
      await advanceTo(dueMs)
      await context.followMarket()
      if (Math.floor(dueMs / DAY_MS) !== Math.floor((dueMs - MARKET_EVERY_MS) / DAY_MS))
        onDay({ day: Math.floor(dueMs / DAY_MS), users: users.filter(({ held }) => held).length, swaps })
    }
    await advanceTo(hourMs)
    swaps += await takeHour(context, { users, pools, steps: hour, fromMs: from.getTime() })
  }
  await advanceTo(days * DAY_MS)
  await runDue(context)
  return { users: users.length, swaps }
}

function createUsers(
  { users: count, seed }: Pick<ActivitySize, 'users' | 'seed'>,
  hasVisitor: boolean,
): SimulatedUser[] {
  const users: SimulatedUser[] = []
  for (const [number, inviter] of planInvitations(count, seed).entries())
    users.push(
      createSimulatedUser(seed, number, {
        inviter: inviter === undefined ? undefined : users[inviter],
        isVisitor: hasVisitor && number === 0,
      }),
    )
  return users
}

/** Moves the clock to a time that is ahead of it. At midnight it stops as often as the close of the day needs. */
async function advance(context: ActivityContext, timeMs: number): Promise<void> {
  const { clock } = context
  const moveTo = async (time: Date) => clock.advance(Math.max(0, time.getTime() - clock.now().getTime()))
  const [from, end] = [clock.now(), new Date(timeMs)]
  const isNextDay = timeMs > from.getTime() && hongKongDayOf(from) !== hongKongDayOf(end)
  for (const stop of isNextDay ? await context.stopsBetween(from, end) : []) {
    await moveTo(stop)
    await runDue(context)
  }
  await moveTo(end)
  if (isNextDay) await runDue(context)
}

/** Runs everything that is due: payments are read, vouchers expire, days close, jobs run. */
async function runDue({ moveChain, runDue: runAll }: ActivityContext): Promise<void> {
  await moveChain()
  await runAll()
}

/** Groups steps by the hour, in their order. */
function hoursOf(steps: readonly ActivityStep[]): ActivityStep[][] {
  return [...Map.groupBy(steps, ({ afterMs }) => Math.floor(afterMs / HOUR_MS)).values()]
}
