import { type Command, write } from '@clearwell/ledger/command'
import { column, defineTable } from '@clearwell/ledger/table'
import { breakers, SOLVENCY_BREAKER } from '../ledger/breaker.ts'

const breakerEvents = defineTable('breaker_events', {
  id: column.text,
  breaker: column.text,
  kind: column.text,
  reason: column.text,
  detail: column.text,
  at: column.time,
})

/** The reason that clients get while the breaker is open. */
const REASON = 'insolvent'

/** Opens the breaker: the next command already refuses swaps and withdrawals. Changes nothing if it is open. */
export function stopForSolvency(detail: string): Command<{ changed: boolean }> {
  return setBreaker('stopped', detail)
}

/** Closes the breaker. Changes nothing if it is closed. */
export function releaseSolvency(detail: string): Command<{ changed: boolean }> {
  return setBreaker('released', detail)
}

function setBreaker(kind: 'stopped' | 'released', detail: string): Command<{ changed: boolean }> {
  const { id } = SOLVENCY_BREAKER
  return {
    kind: 'set_solvency_breaker',
    owner: 'solvency',
    payload: {},
    preload: [SOLVENCY_BREAKER],
    decide(state, context) {
      const isStopped = state.row(breakers, id)?.stopped_at != null
      if (isStopped === (kind === 'stopped')) return { response: { changed: false } }
      const row =
        kind === 'stopped'
          ? { id, stopped_at: context.now, reason: REASON, detail }
          : { id, stopped_at: null, reason: null, detail: null }
      const event = { id: context.id('event'), breaker: id, kind, reason: REASON, detail, at: context.now }
      return { rows: [write(breakers, row), write(breakerEvents, event)], response: { changed: true } }
    },
  }
}
