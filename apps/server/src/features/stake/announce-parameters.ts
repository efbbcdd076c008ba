import { type Command, write } from '@clearwell/ledger/command'
import * as z from 'zod/mini'
import { stakeConfig } from '../../config/stake-config.ts'
import {
  type LendingConfig,
  lendingParameters,
  NOTICE_MS,
  parseParameters,
} from '../../platform/lending/lending-parameters.ts'
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

/** Announces parameters of the lending market. They take effect 24 hours later. */
export const announceParameters = defineOperatorAction({
  kind: 'announce_lending_parameters',
  payload,
  preload: ({ after }) => [
    { table: lendingParameters, id: String(after) },
    { table: lendingParameters, id: String(after + 1) },
  ],
  decide(draft, { now }, { after, parameters }) {
    const last = draft.row(lendingParameters, String(after))
    if (!last || draft.row(lendingParameters, String(after + 1)))
      return { isDone: false, text: 'Other parameters were announced meanwhile: look at them first.' }
    const fault = faultOf(parseParameters(last.parameters), parameters)
    if (fault) return { isDone: false, text: fault }
    const effective = new Date(now.getTime() + NOTICE_MS)
    const id = String(after + 1)
    const row = { id, announced_at: now, effective_at: effective, parameters: JSON.stringify(parameters) }
    draft.add({ rows: [write(lendingParameters, row)] })
    return { isDone: true, text: `The parameters take effect at ${effective.toISOString()}.` }
  },
})

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
