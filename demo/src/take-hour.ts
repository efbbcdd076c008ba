import type { ActivityStep, StepKind } from './activity-step.ts'
import { claimBoxes, clickBox } from './simulated-boxes.ts'
import { approveStars, collectRt, requestStar } from './simulated-hub.ts'
import { borrowSome, pledgeSome, repaySome } from './simulated-lending.ts'
import { joinUsers, type PaymentContext, type SimulatedPayment, transferIn, transferOut } from './simulated-payments.ts'
import {
  type Chance,
  type SimulatedUser,
  sessionOf,
  setSomeAlert,
  swapSome,
  type TradedPool,
} from './simulated-user.ts'

/** Steps that wallets pay for on the chain. */
const PAYMENTS = ['join', 'transfer_in', 'transfer_out'] as const satisfies readonly StepKind[]
type PaymentKind = (typeof PAYMENTS)[number]

type TakeStep = (
  context: PaymentContext,
  user: SimulatedUser,
  step: Chance & { readonly pools: readonly TradedPool[] },
) => Promise<unknown>

/** All other steps. Those that swap resolve with true once the user has swapped. */
const TAKE = {
  swap: swapSome,
  request_star: requestStar,
  set_alert: setSomeAlert,
  pledge: pledgeSome,
  borrow: borrowSome,
  repay: repaySome,
  click: clickBox,
  claim: claimBoxes,
  approve_stars: approveStars,
  collect_rt: collectRt,
} as const satisfies Record<Exclude<StepKind, PaymentKind>, TakeStep>

export interface Hour {
  readonly users: readonly SimulatedUser[]
  readonly pools: readonly TradedPool[]
  readonly steps: readonly ActivityStep[]
  /** When the activity begins, in milliseconds since 1970. */
  readonly fromMs: number
}

/** A step with its user and the idempotency key of its command. */
type ActingStep = Omit<ActivityStep, 'user'> & SimulatedPayment

/**
 * Takes the steps of one hour: those of one user in their order, those of several users together, so that they share the
 * writer's batches.
 *
 * @returns the number of swaps.
 */
export async function takeHour(context: PaymentContext, { users, pools, steps, fromMs }: Hour): Promise<number> {
  const acting = steps.flatMap((step) => {
    const user = users[step.user]
    return user ? [{ ...step, user, key: `sim-${step.user}-${step.chance}-${fromMs + step.afterMs}` }] : []
  })
  const payments = paymentsOf(acting)
  const paying = new Set(Object.values(payments).flatMap((each) => each.map(({ user }) => user)))
  // Payments mostly wait for the chain, so users who pay nothing now act meanwhile.
  const paid = payAll(context, payments)
  const byUser = Map.groupBy(acting.filter(isNoPayment), ({ user }) => user)
  // All sign in before the first command, so that their commands share the writer's batches.
  const signedIn = Promise.all(
    [...byUser.keys()].map((user) => (paying.has(user) ? undefined : sessionOf(context, user))),
  )
  const taken = [...byUser].map(async ([user, ownSteps]) => {
    await (paying.has(user) ? paid : signedIn)
    let swaps = 0
    for (const step of ownSteps)
      if ((await (TAKE[step.kind] as TakeStep)(context, user, { ...step, pools })) === true) swaps++
    return swaps
  })
  const [counts] = await Promise.all([Promise.all(taken), paid])
  return counts.reduce((sum, swaps) => sum + swaps, 0)
}

function isNoPayment(step: ActingStep): step is ActingStep & { readonly kind: keyof typeof TAKE } {
  return !PAYMENTS.some((kind) => kind === step.kind)
}

/** The payments of an hour. New users join at their first step, each once and after their inviters. */
function paymentsOf(acting: readonly ActingStep[]): Record<PaymentKind, readonly SimulatedPayment[]> {
  const joining = new Map<SimulatedUser, SimulatedPayment>()
  for (const step of acting) if (!step.user.held && !joining.has(step.user)) joining.set(step.user, step)
  const of = (kind: StepKind) => acting.filter((step) => step.kind === kind)
  return { join: [...joining.values()], transfer_in: of('transfer_in'), transfer_out: of('transfer_out') }
}

/** Has new users join, then pays into the vault and out of it. */
async function payAll(
  context: PaymentContext,
  payments: Record<PaymentKind, readonly SimulatedPayment[]>,
): Promise<void> {
  if (payments.join.length > 0) await joinUsers(context, payments.join)
  if (payments.transfer_in.length > 0) await transferIn(context, payments.transfer_in)
  if (payments.transfer_out.length > 0) await transferOut(context, payments.transfer_out)
}
