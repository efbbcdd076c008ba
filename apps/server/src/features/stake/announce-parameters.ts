import { type Command, write } from '@clearwell/ledger/command'
import { DAY_MS } from '@clearwell/rules/spans'
import * as z from 'zod/mini'
import {
  type LendingConfig,
  lendingParameters,
  type ParameterRow,
  parseParameters,
} from '../../domain/lending/lending-parameters.ts'
import { stakeConfig } from '../../domain/lending/stake-config.ts'
import { defineOperatorAction } from '../../platform/operator/operator-action.ts'

/** Stores the parameters of the configuration for a new ledger. Changes nothing on one that has parameters. */
export function storeFirstParameters(config: LendingConfig): Command<{ stored: boolean }> {
  return {
    kind: 'first_lending_parameters',
    owner: 'stake',
    payload: {},
    preload: [{ table: lendingParameters, id: '1' }],
    decide(state, { now }) {
      if (state.row(lendingParameters, '1')) return { response: { stored: false } }
      const row = { id: '1', announced_at: now, effective_at: now, parameters: JSON.stringify(config) }
      return { rows: [write(lendingParameters, row)], response: { stored: true } }
    },
  }
}

const payload = z.strictObject({
  /** The number of the last set that the operator has seen. */
  after: z.int().check(z.gte(1)),
  parameters: stakeConfig.shape.stake,
})

/**
 * Announces parameters of the lending market. Those that only lend less take effect immediately. Others take effect after the notice, and
 * not before parameters that were announced earlier. Open orders keep those of their opening.
 */
export const announceParameters = defineOperatorAction({
  kind: 'announce_lending_parameters',
  role: 'risk',
  payload,
  preload: ({ after }) => Array.from({ length: after + 1 }, (_, index) => keyOf(index + 1)),
  decide(draft, { now }, { after, parameters }) {
    const last = draft.row(lendingParameters, String(after))
    if (!last || draft.row(lendingParameters, String(after + 1)))
      return { isDone: false, text: 'Other parameters were announced meanwhile: look at them first.' }
    const sets = draft.rows(lendingParameters, idsUpTo(after)).flatMap((row) => (row ? [row] : []))
    const fault = faultOf(parseParameters(last.parameters), parameters)
    if (fault) return { isDone: false, text: fault }
    const effective = effectOf(sets, parameters, now)
    const id = String(after + 1)
    const row = { id, announced_at: now, effective_at: effective, parameters: JSON.stringify(parameters) }
    draft.add({ rows: [write(lendingParameters, row)] })
    return { isDone: true, text: `The parameters take effect at ${effective.toISOString()}.` }
  },
})

function idsUpTo(last: number): string[] {
  return Array.from({ length: last }, (_, index) => String(index + 1))
}

function keyOf(number: number) {
  return { table: lendingParameters, id: String(number) }
}

/** When parameters take effect: by the sets that they follow, in force or announced. */
function effectOf(sets: readonly ParameterRow[], after: LendingConfig, now: Date): Date {
  // The sets come by number, and sorting keeps it: of two with one time the later one is in force.
  const byEffect = sets.toSorted((a, b) => a.effective_at.getTime() - b.effective_at.getTime())
  const inForce = byEffect.findLast(({ effective_at: at }) => at <= now)
  const followed = byEffect.filter((set) => set === inForce || set.effective_at > now)
  const days = followed.map(({ parameters }) => noticeDaysOf(parseParameters(parameters), after))
  if (days.every((each) => each === 0)) return now
  const notice = now.getTime() + Math.max(...days) * DAY_MS
  return new Date(Math.max(notice, ...followed.map(({ effective_at: at }) => at.getTime())))
}

/**
 * How many days before its effect a change is announced: none if it only lends less, longer for limits, bonus and least amounts. The
 * notice is the one that was promised before the change.
 */
export function noticeDaysOf(before: LendingConfig, after: LendingConfig): number {
  const { notice } = before
  const changed = withoutLess(before, after)
  if (JSON.stringify(changed) === JSON.stringify(before)) return 0
  const { ltv, liquidation, pools, notice: promised } = changed
  const leastAmounts = (pools: LendingConfig['pools']) =>
    before.pools.map(({ asset }) => {
      const pool = pools.find((each) => each.asset === asset)
      return [asset, pool?.minPledge, pool?.minLoan]
    })
  const limits = [ltv, liquidation, leastAmounts(pools), promised]
  const limitsBefore = [before.ltv, before.liquidation, leastAmounts(before.pools), before.notice]
  return JSON.stringify(limits) === JSON.stringify(limitsBefore) ? notice.days : notice.limitsDays
}

/** The change without the parts that only lend less: fewer terms, a lower initial limit, lower caps. */
function withoutLess(before: LendingConfig, after: LendingConfig): LendingConfig {
  const least = <Part extends Record<string, number>>(one: Part, other: Part): Part =>
    Object.fromEntries(Object.entries(other).map(([key, value]) => [key, Math.max(value, one[key] ?? value)])) as Part
  const isFewer = after.termsDays.every((days) => before.termsDays.includes(days))
  return {
    ...after,
    termsDays: isFewer ? before.termsDays : after.termsDays,
    ltv: { ...after.ltv, initialBps: Math.max(before.ltv.initialBps, after.ltv.initialBps) },
    caps: least(before.caps, after.caps),
  }
}

/** Why parameters cannot follow others; `undefined` if they can. */
function faultOf(before: LendingConfig, after: LendingConfig): string | undefined {
  if (JSON.stringify(before) === JSON.stringify(after)) return 'The configuration file has the same parameters.'
  for (const { asset, reserveBps } of before.pools) {
    const kept = after.pools.find((each) => each.asset === asset)
    if (!kept) return `The pool of ${asset} cannot be removed: users have pledged to it.`
    // The interest that loans owe now would be divided otherwise than announced when it accrued.
    if (kept.reserveBps !== reserveBps) return `The reserve's part of the interest of ${asset} cannot change.`
  }
  const removed = before.collateral.find((asset) => !after.collateral.includes(asset))
  return removed && `${removed} cannot be removed from the collateral: it secures loans.`
}
