import { boundsOfDay, hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import type { MovableClock } from '../../platform/time/clock.ts'
import { type ActivitySize, planActivity } from './activity-plan.ts'
import type { ActivityStep, StepKind } from './activity-step.ts'
import { planInvitations } from './invitation-plan.ts'
import { call } from './local-account.ts'
import { claimBoxes, clickBox } from './simulated-boxes.ts'
import { approveStars, collectRt, requestStar } from './simulated-hub.ts'
import { borrowSome, pledgeSome, repaySome } from './simulated-lending.ts'
import { joinUsers, type PaymentContext, type SimulatedPayment, transferIn, transferOut } from './simulated-payments.ts'
import {
  createSimulatedUser,
  type SimulatedUser,
  sessionOf,
  setSomeAlert,
  swapSome,
  type TradedPool,
} from './simulated-user.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Between two looks at the market: the pools follow it, and alerts are reached. */
const MARKET_EVERY_MS = 2 * HOUR_MS
/** Steps that the wallets pay for on the chain. */
const PAYMENTS: readonly StepKind[] = ['join', 'transfer_in', 'transfer_out']

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
 * Fills in activity through the calls that users make: wallets that really sign, payments on the local chain, activation,
 * swaps, pledges, loans, transfers out. The clock moves along; steps of the same hour happen together. The same seed makes the same users
 * and the same choices.
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
    swaps += await takeSteps(context, { users, pools, steps: hour, fromMs: from.getTime() })
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

/** Takes the steps of one hour. @returns the number of swaps. */
async function takeSteps(
  context: ActivityContext,
  {
    users,
    pools,
    steps,
    fromMs,
  }: { users: readonly SimulatedUser[]; pools: readonly TradedPool[]; steps: readonly ActivityStep[]; fromMs: number },
): Promise<number> {
  const acting = steps.flatMap((step) => {
    const user = users[step.user]
    return user ? [{ ...step, user, key: `sim-${step.user}-${step.chance}-${fromMs + step.afterMs}` }] : []
  })
  const of = (kind: StepKind) => acting.filter((step) => step.kind === kind)
  const waiting = new Set([...joining(acting), ...of('transfer_in'), ...of('transfer_out')].map(({ user }) => user))
  // Payments mostly wait for the chain, so users who pay nothing now act meanwhile.
  const paid = payAll(context, acting)
  // The steps of one user follow one another; those of several users happen together.
  const byUser = Map.groupBy(
    acting.filter(({ kind }) => !PAYMENTS.includes(kind)),
    ({ user }) => user,
  )
  // All sign in before anyone swaps, so that their swaps share the writer's batches.
  const signedIn = Promise.all(
    [...byUser.keys()].map((user) => (waiting.has(user) ? undefined : sessionOf(context, user))),
  )
  const ready = (user: SimulatedUser) => (waiting.has(user) ? paid : signedIn)
  const swapped = [...byUser].map(async ([user, choices]) => {
    await ready(user)
    let done = 0
    for (const choice of choices) if (await takeStep(context, pools, choice)) done++
    return done
  })
  const [counts] = await Promise.all([Promise.all(swapped), paid])
  return counts.reduce((sum, done) => sum + done, 0)
}

/** Takes a step that pays nothing on the chain. @returns whether the user has swapped. */
async function takeStep(context: ActivityContext, pools: readonly TradedPool[], step: ActingStep): Promise<boolean> {
  const { kind, user } = step
  if (kind === 'swap') return swapSome(context, user, { ...step, pools })
  if (kind === 'request_star') return requestStar(context, user, { ...step, pools })
  if (kind === 'set_alert') await setSomeAlert(context, user, step)
  if (kind === 'pledge') await pledgeSome(context, user, step)
  if (kind === 'borrow') await borrowSome(context, user, step)
  if (kind === 'repay') await repaySome(context, user, step)
  if (kind === 'click') await clickBox(context, user, step)
  if (kind === 'claim') await claimBoxes(context, user, step)
  if (kind === 'approve_stars') await approveStars(context, user, step)
  if (kind === 'collect_rt') await collectRt(context, user, step)
  return false
}

/** Has new users join, then pays into the vault and out of it. */
async function payAll(context: ActivityContext, acting: readonly ActingStep[]): Promise<void> {
  const of = (kind: StepKind) => acting.filter((step) => step.kind === kind)
  await joinUsers(context, joining(acting))
  if (of('transfer_in').length > 0) await transferIn(context, of('transfer_in'))
  if (of('transfer_out').length > 0) await transferOut(context, of('transfer_out'))
}

/** A step with its user and the idempotency key of its order. */
type ActingStep = Omit<ActivityStep, 'user'> & SimulatedPayment

/** The users who act now and have not joined, each once, and their inviters first. */
function joining(acting: readonly SimulatedPayment[]): SimulatedPayment[] {
  const found = new Map<SimulatedUser, SimulatedPayment>()
  for (const { user, chance, key } of acting) if (!user.held && !found.has(user)) found.set(user, { user, chance, key })
  return [...found.values()]
}
