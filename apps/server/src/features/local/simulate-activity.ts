import type { MovableClock } from '../../platform/time/clock.ts'
import { type ActivitySize, type ActivityStep, chooser, planActivity } from './activity-plan.ts'
import { call } from './local-account.ts'
import { borrowSome, pledgeSome, repaySome } from './simulated-lending.ts'
import { joinUsers, type PaymentContext, type SimulatedPayment, transferIn, transferOut } from './simulated-payments.ts'
import {
  createSimulatedUser,
  type SimulatedUser,
  setSomeAlert,
  swapSome,
  type TradedPool,
  tokenOf,
} from './simulated-user.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Between two looks at the market: the pools follow it, and alerts are reached. */
const MARKET_EVERY_MS = 2 * HOUR_MS
/** Between two runs of everything else that is due: payments are read, vouchers expire, jobs run. */
const DUE_EVERY_MS = DAY_MS
/** Steps that the wallets pay for on the chain. */
const PAYMENTS: readonly ActivityStep['kind'][] = ['join', 'transfer_in', 'transfer_out']
/** Two of three users were invited by an earlier one. */
const INVITED_OF_THREE = 2

export interface ActivityContext extends PaymentContext {
  readonly clock: MovableClock
  /** Runs what is due by time and price. */
  readonly runDue: () => Promise<void>
  /** Runs what is due by price alone. */
  readonly followMarket: () => Promise<void>
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
  const steps = planActivity({ ...size, days, hasVisitor })
  const startedMs = context.clock.now().getTime() - from.getTime()
  const left = steps.filter(({ afterMs }) => afterMs >= startedMs)
  const advanceTo = (afterMs: number) => advance(context.clock, from.getTime() + afterMs)
  const pools = await call(context, 'pairs', {})
  let swaps = 0
  let dueMs = startedMs
  for (const hour of hoursOf(left)) {
    const hourMs = hour[0]?.afterMs ?? 0
    for (; dueMs < hourMs; dueMs += MARKET_EVERY_MS) {
      await advanceTo(dueMs)
      const begins = (everyMs: number) =>
        Math.floor(dueMs / everyMs) !== Math.floor((dueMs - MARKET_EVERY_MS) / everyMs)
      await (begins(DUE_EVERY_MS) ? context.runDue() : context.followMarket())
      if (begins(DAY_MS))
        onDay({ day: Math.floor(dueMs / DAY_MS), users: users.filter(({ held }) => held).length, swaps })
    }
    await advanceTo(hourMs)
    swaps += await takeSteps(context, { users, pools, steps: hour, fromMs: from.getTime() })
  }
  await advanceTo(days * DAY_MS)
  await context.moveChain()
  await context.runDue()
  return { users: users.length, swaps }
}

function createUsers(
  { users: count, seed }: Pick<ActivitySize, 'users' | 'seed'>,
  hasVisitor: boolean,
): SimulatedUser[] {
  const choose = chooser(`inviters ${seed}`)
  const users: SimulatedUser[] = []
  for (let index = 0; index < count; index++) {
    const inviter = choose(3) < INVITED_OF_THREE ? users[choose(Math.max(1, index))] : undefined
    users.push(createSimulatedUser(seed, index, { inviter, isVisitor: hasVisitor && index === 0 }))
  }
  return users
}

async function advance(clock: MovableClock, timeMs: number): Promise<void> {
  const leftMs = timeMs - clock.now().getTime()
  if (leftMs > 0) await clock.advance(leftMs)
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
  const of = (kind: ActivityStep['kind']) => acting.filter((step) => step.kind === kind)
  const waiting = new Set([...joining(acting), ...of('transfer_in'), ...of('transfer_out')].map(({ user }) => user))
  // Payments mostly wait for the chain, so users who pay nothing now act meanwhile.
  const paid = payAll(context, acting)
  // The steps of one user follow one another; those of several users happen together.
  const byUser = Map.groupBy(
    acting.filter(({ kind }) => !PAYMENTS.includes(kind)),
    ({ user }) => user,
  )
  // All sign in before anyone swaps, so that their swaps share the writer's batches.
  const signedIn = Promise.all([...byUser.keys()].map((user) => (waiting.has(user) ? '' : tokenOf(context, user))))
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

/** Takes a step that pays nothing on the chain. @returns true for a swap that was done. */
async function takeStep(context: ActivityContext, pools: readonly TradedPool[], step: ActingStep): Promise<boolean> {
  const { kind, user } = step
  if (kind === 'swap') return swapSome(context, user, { ...step, pools })
  if (kind === 'set_alert') await setSomeAlert(context, user, step)
  if (kind === 'pledge') await pledgeSome(context, user, step)
  if (kind === 'borrow') await borrowSome(context, user, step)
  if (kind === 'repay') await repaySome(context, user, step)
  return false
}

/** Has new users join, then pays into the vault and out of it. */
async function payAll(context: ActivityContext, acting: readonly ActingStep[]): Promise<void> {
  const of = (kind: ActivityStep['kind']) => acting.filter((step) => step.kind === kind)
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
