import type { planRoutes } from '@clearwell/api/plan.routes'
import type { Payload, ResponseOf } from '@clearwell/api/routes'
import type { Command } from '@clearwell/ledger/command'
import type { Writer } from '@clearwell/ledger/writer'
import { parseUnits } from '@clearwell/money/decimal'
import type { SwapPool, Swaps } from '../../domain/pools/swaps.ts'
import { DEFAULT_PAGE, decodeCursor, encodeCursor, pageOf } from '../../platform/http/paging.ts'
import { readAmount } from '../../platform/http/read-amount.ts'
import type { HandlersOf } from '../../platform/http/request-context.ts'
import { invalidField, refusal } from '../../platform/ledger/refuse.ts'
import { type ChangePlanInput, cancelPlan, pausePlan, resumePlan } from './change-plan.ts'
import { type CreatePlanInput, createPlan, type PlanWish } from './create-plan.ts'
import type { FindPool } from './end-plans.ts'
import type { LimitTriggers } from './limit-triggers.ts'
import type { PlanRules } from './plan.config.ts'
import type { PlanStore } from './plan.store.ts'
import { assetsOf, planItem, runItem } from './plan-item.ts'

export interface PlanDependencies {
  readonly store: PlanStore
  readonly writer: Pick<Writer, 'execute'>
  readonly swaps: () => Swaps
  readonly rules: PlanRules
  readonly findPool: FindPool
  readonly triggers: Pick<LimitTriggers, 'reload'>
}

type Plan = ResponseOf<'createPlan'>

export function planHandlers(deps: PlanDependencies): HandlersOf<typeof planRoutes> {
  const { store, swaps, findPool } = deps
  return {
    async createPlan(payload, { user, idempotencyKey: key }) {
      const input = await readPlan(deps, payload)
      return change(deps, createPlan({ ...deps, swaps: swaps() }, { ...input, userId: user.id, key }))
    },
    pausePlan: async ({ plan_id }, { user, idempotencyKey: key }) =>
      change(deps, pausePlan(await readChange(deps, user.id, plan_id, key))),
    resumePlan: async ({ plan_id }, { user, idempotencyKey: key }) =>
      change(deps, resumePlan({ swaps: swaps() }, await readChange(deps, user.id, plan_id, key))),
    cancelPlan: async ({ plan_id }, { user, idempotencyKey: key }) =>
      change(deps, cancelPlan(await readChange(deps, user.id, plan_id, key))),

    async plans({ status, cursor, limit = DEFAULT_PAGE }, { user }) {
      const rows = await store.plans(user.id, status, decodeCursor(cursor), limit + 1)
      return pageOf(
        rows,
        limit,
        (row) => planItem(row, findPool(row.pool_id)),
        (row) => encodeCursor({ at: row.created_at, id: row.id }),
      )
    },

    async planRuns({ plan_id, cursor, limit = DEFAULT_PAGE }, { user }) {
      const plan = await store.plan(user.id, plan_id)
      if (!plan) throw refusal('not_found')
      const rows = await store.runs(user.id, plan_id, decodeRunCursor(plan_id, cursor), limit + 1)
      const pool = findPool(plan.pool_id)
      return pageOf(
        rows,
        limit,
        (row) => runItem(row, pool, plan.inverse),
        // The id of a run is longer than a cursor may be; its day is enough within one plan.
        (row) => encodeCursor({ at: row.created_at, id: row.day }),
      )
    },
  }
}

function decodeRunCursor(planId: string, text: string | undefined) {
  const cursor = decodeCursor(text)
  return cursor && { at: cursor.at, id: `${planId}:${cursor.id}` }
}

/** Executes a command, and has the leader look at the limits that it changed before it responds. */
async function change({ writer, triggers }: PlanDependencies, command: Command<Plan>): Promise<Plan> {
  const plan = await writer.execute(command)
  if (plan.kind === 'limit') await triggers.reload({ poolId: plan.pool_id, inverse: plan.inverse === 1 })
  return plan
}

async function readChange(
  { store, findPool }: PlanDependencies,
  userId: string,
  planId: string,
  key: string | undefined,
): Promise<ChangePlanInput> {
  const plan = await store.plan(userId, planId)
  if (!plan) throw refusal('not_found')
  return { userId, planId, pool: findPool(plan.pool_id), key }
}

/** @throws Refusal `not_found`, or `invalid_input` for fields that do not belong together. */
async function readPlan(
  { swaps, rules }: PlanDependencies,
  payload: Payload<'createPlan'>,
): Promise<Omit<CreatePlanInput, 'userId' | 'key'>> {
  const pool = swaps()
    .pools()
    .find(({ id }) => id === payload.pool_id)
  if (!pool) throw refusal('not_found')
  const inverse = payload.inverse === 1
  const [sold] = assetsOf(pool, inverse)
  const amount = readAmount('amount', payload.amount, sold).units
  const wish =
    payload.kind === 'limit' ? readLimit(payload) : await readSchedule(payload, { pool, swaps: swaps(), rules })
  return { pool, inverse, amount, wish }
}

function readLimit(payload: Payload<'createPlan'>): PlanWish {
  const { price, ends_at: endsAt } = payload
  for (const field of ['every', 'hour', 'starts_at', 'slippage'] as const)
    if (payload[field] !== undefined) throw invalidField(field, 'goes with kind = schedule')
  if (endsAt === undefined) throw invalidField('ends_at', 'is needed')
  const priceE18 = price === undefined ? undefined : parseUnits(price, 18)
  if (priceE18 === undefined) throw invalidField('price', 'is needed')
  if (priceE18 === 0n) throw invalidField('price', 'must be above zero')
  return { kind: 'limit', priceE18, endsAt }
}

async function readSchedule(
  payload: Payload<'createPlan'>,
  { pool, swaps, rules }: { readonly pool: SwapPool; readonly swaps: Swaps; readonly rules: PlanRules },
): Promise<PlanWish> {
  const { every, hour, starts_at: startsAt, ends_at: endsAt, slippage } = payload
  if (payload.price !== undefined) throw invalidField('price', 'goes with kind = limit')
  if (every === undefined) throw invalidField('every', 'is needed')
  if (hour === undefined) throw invalidField('hour', 'is needed')
  const slippageBps = slippage === undefined ? rules.slippageBps : Number(parseUnits(slippage, 4) ?? -1n)
  if (slippageBps < 1 || slippageBps > rules.maxSlippageBps)
    throw invalidField('slippage', `0.0001 to ${rules.maxSlippageBps / 10_000}`)
  const referenceE18 = await swaps.referenceE18(pool.id)
  return { kind: 'schedule', every, hour, startsAt, endsAt, slippageBps, referenceE18 }
}
