import { type Command, type Context, type RowWrite, write } from '@clearwell/ledger/command'
import { column, defineWriterTable, forever } from '@clearwell/ledger/table'
import { breakers, SOLVENCY_BREAKER } from '../ledger/breaker.ts'
import { watchedVaults } from './watched-vault.ts'

export const breakerEvents = defineWriterTable(
  'breaker_events',
  forever('the record of who stopped trading and why; a few rows a year'),
  {
    id: column.text,
    breaker: column.text,
    kind: column.text,
    reason: column.text,
    detail: column.text,
    at: column.time,
  },
)

/** The reason that clients get while the breaker is open. */
const REASON = 'insolvent' as const

/** Opens the breaker: the next command already refuses swaps and withdrawals. Changes nothing if it is open. */
export function stopForSolvency(detail: string): Command<{ changed: boolean }> {
  return setBreaker('stopped', detail)
}

/**
 * Closes the breaker. Changes nothing if it is closed.
 *
 * @param checked the vault that was checked. If the ledger has moved to another one, the breaker stays open.
 */
export function releaseSolvency(detail: string, checked: CheckedVault): Command<{ changed: boolean }> {
  return setBreaker('released', detail, checked)
}

export interface CheckedVault {
  readonly chainId: number
  readonly vault: string
}

/** The rows that open or close a breaker. @param which absent: the solvency breaker. */
export function breakerRows(
  kind: 'stopped' | 'released',
  detail: string,
  context: Context,
  which: { readonly id: string; readonly reason: 'insolvent' | 'withdrawals_paused' } = { id, reason: REASON },
): RowWrite[] {
  const row =
    kind === 'stopped'
      ? { ...which, stopped_at: context.now, detail }
      : { id: which.id, stopped_at: null, reason: null, detail: null }
  const event = { id: context.id('event'), breaker: which.id, kind, reason: which.reason, detail, at: context.now }
  return [write(breakers, row), write(breakerEvents, event)]
}

const { id } = SOLVENCY_BREAKER

function setBreaker(
  kind: 'stopped' | 'released',
  detail: string,
  checked?: CheckedVault,
): Command<{ changed: boolean }> {
  const chainId = String(checked?.chainId)
  return {
    kind: 'set_solvency_breaker',
    owner: 'solvency',
    payload: {},
    preload: [SOLVENCY_BREAKER, ...(checked ? [{ table: watchedVaults, id: chainId }] : [])],
    decide(state, context) {
      const isStopped = state.row(breakers, id)?.stopped_at != null
      const watched = checked && state.row(watchedVaults, chainId)
      const isOtherVault = watched !== undefined && watched.vault !== checked?.vault.toLowerCase()
      if (isStopped === (kind === 'stopped') || isOtherVault) return { response: { changed: false } }
      return { rows: breakerRows(kind, detail, context), response: { changed: true } }
    },
  }
}
