import type { AnyWriterTable, State } from '@clearwell/ledger/command'
import { Refusal } from '@clearwell/ledger/refusal'
import { commandOf, type Step, type StepOutcome } from './kill-steps.ts'

export interface Replay {
  readonly outcomes: ReadonlyMap<string, StepOutcome>
  /** In base units by `account asset`, without zeros. */
  readonly balances: ReadonlyMap<string, bigint>
  /** Rows by table and id. */
  readonly rows: ReadonlyMap<string, ReadonlyMap<string, unknown>>
}

/**
 * Carries the same commands out once each, one after the other, on maps: no writer, no batch, no database, no kill. What
 * the ledger must have come to.
 */
export function replay(steps: readonly Step[]): Replay {
  const balances = new Map<string, bigint>()
  const rows = new Map<string, Map<string, unknown>>()
  const rowsOf = (table: AnyWriterTable) => {
    const kept = rows.get(table.name) ?? new Map<string, unknown>()
    rows.set(table.name, kept)
    return kept
  }
  const state: State = {
    balance: (account, asset) => balances.get(`${account} ${asset}`) ?? 0n,
    row: (table, id) => rowsOf(table).get(id) as never,
    rows: (table, ids) => ids.map((id) => state.row(table, id)),
  }
  const outcomes = new Map<string, StepOutcome>()
  for (const step of steps) {
    const context = { now: new Date('2026-11-21T09:00:00Z'), id: (label: string) => `${step.name} ${label}` }
    try {
      const plan = commandOf(step).decide(state, context)
      for (const { account, asset, units } of (plan.entries ?? []).flatMap((entry) => entry.postings)) {
        balances.set(`${account} ${asset}`, state.balance(account, asset) + units)
      }
      for (const { table, row } of plan.rows ?? []) rowsOf(table).set(row.id, row)
      outcomes.set(step.name, { ok: plan.response })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      outcomes.set(step.name, { refusal: error.refusal, data: error.data })
    }
  }
  for (const [key, units] of balances) if (units === 0n) balances.delete(key)
  return { outcomes, balances, rows }
}
