import { type Command, type Context, type StateKey, write } from '@clearwell/ledger/command'
import type { Draft } from '@clearwell/ledger/draft'
import { movementId } from '../../platform/chain/chain.ts'
import type { ExitAct } from '../../platform/chain/exit-act.ts'
import { chainCursors } from '../../platform/custody/chain-cursors.ts'
import { type ExitRow, type ExitState, exitActs, exits, leavingKey } from '../../platform/ledger/leaving-accounts.ts'

/** A request or a cancel. */
export type ExitChange = Extract<ExitAct, { readonly kind: 'request' | 'cancel' }>

/** The meaning of each state: the request counts at the cursor, and at the tip of the chain. */
const BITS: Readonly<Record<ExitState, { readonly atCursor: boolean; readonly atTip: boolean }>> = {
  requested: { atCursor: false, atTip: true },
  open: { atCursor: true, atTip: true },
  cancelling: { atCursor: true, atTip: false },
  closed: { atCursor: false, atTip: false },
}

function stateOf(bits: { readonly atCursor: boolean; readonly atTip: boolean }): ExitState {
  if (bits.atCursor) return bits.atTip ? 'open' : 'cancelling'
  return bits.atTip ? 'requested' : 'closed'
}

/**
 * Decides the row of an account when the cursor passes a request or a cancel.
 *
 * @param row absent: the account has none yet.
 */
function passChange(row: ExitRow | undefined, change: ExitChange, now: Date): ExitRow | undefined {
  if (change.kind === 'request') return requestedRow(change, { state: 'open', now, owes: row?.owes ?? false })
  if (!row || isElsewhere(row, change)) return undefined
  // A later request that was seen at the tip goes on.
  const state = stateOf({ atCursor: false, atTip: row.block > change.blockNumber })
  return { ...row, state, changed_at: now }
}

/**
 * Decides the row of an account by what the blocks after the cursor say now.
 *
 * @param last the last request or cancel in them; absent: there is none, or a reorganisation has removed it.
 */
function seeTip(row: ExitRow | undefined, last: ExitChange | undefined, now: Date): ExitRow | undefined {
  if (!row) return last?.kind === 'request' ? requestedRow(last, { state: 'requested', now, owes: false }) : undefined
  if (last?.kind === 'cancel' && isElsewhere(row, last)) return row
  const { atCursor } = BITS[row.state]
  const state = stateOf({ atCursor, atTip: last ? last.kind === 'request' : atCursor })
  const at = last?.kind === 'request' ? { exit_at: last.at, block: last.blockNumber, vault: last.vault } : {}
  const next = { ...row, ...at, state }
  return next.state === row.state && next.block === row.block ? row : { ...next, changed_at: now }
}

function requestedRow(
  { account, at, blockNumber, vault }: Extract<ExitChange, { readonly kind: 'request' }>,
  { state, now, owes }: { readonly state: ExitState; readonly now: Date; readonly owes: boolean },
): ExitRow {
  return { id: account, state, exit_at: at, block: blockNumber, changed_at: now, owes, vault }
}

/** A cancel at a vault that the ledger has left, of an account that has asked again at the new one. */
function isElsewhere({ vault }: ExitRow, change: ExitChange): boolean {
  return vault !== null && vault !== change.vault
}

export interface Passed {
  readonly chainId: number
  readonly changes: readonly ExitChange[]
  /** The accounts that exist. Others have no row: anyone may ask the vault for an exit. */
  readonly known: ReadonlySet<string>
}

/** Lists what {@link passChanges} reads. */
export function listChangeKeys({ chainId, changes, known }: Passed): StateKey[] {
  const acts = changes.filter(({ account }) => known.has(account))
  return [...[...known].map(leavingKey), ...acts.map((act) => ({ table: exitActs, id: movementId(chainId, act) }))]
}

/** Adds the changes that the cursor passes to the plan of the watcher. */
export function passChanges(draft: Draft, { now }: Pick<Context, 'now'>, { chainId, changes, known }: Passed): void {
  for (const change of changes) {
    if (!known.has(change.account)) continue
    const row = draft.row(exits, change.account)
    const next = passChange(row, change, now)
    if (next) draft.add({ rows: [write(exits, next)] })
    const { kind, account: user_id, txHash: tx_hash, blockNumber: block, logIndex } = change
    const id = movementId(chainId, change)
    // A rewind of the watcher reads blocks again: an act that is still on the chain counts again.
    const booked = draft.row(exitActs, id)
    if (booked && !booked.is_void) continue
    const at = change.kind === 'request' ? change.at : (booked?.at ?? now)
    const act = { id, user_id, kind, at, tx_hash, block, log_index: BigInt(logIndex), is_void: false }
    draft.add({ rows: [write(exitActs, act)] })
  }
}

/** Locks and unlocks accounts by the blocks after the cursor. Returns how many rows have changed. */
export function noteTip(
  tips: readonly { readonly account: string; readonly last: ExitChange | undefined }[],
): Command<number> {
  return {
    kind: 'note_exits',
    owner: 'exits',
    payload: {},
    preload: tips.map(({ account }) => leavingKey(account)),
    decide(state, { now }) {
      const rows = state.rows(
        exits,
        tips.map(({ account }) => account),
      )
      const changed = rows.flatMap((row, index) => {
        const next = seeTip(row, tips[index]?.last, now)
        return next && next !== row ? [write(exits, next)] : []
      })
      return { rows: changed, response: changed.length }
    },
  }
}

/**
 * Stores the exit of an account that was created after its request. An account with a row is followed already.
 *
 * @param of.block the watcher's cursor, after which the exit is open.
 * @returns false if the cursor has moved: then the vault is asked again.
 */
export function noteExisting(of: {
  readonly chainId: number
  /** In lower case. */
  readonly vault: string
  readonly account: string
  readonly at: Date
  readonly block: bigint
}): Command<boolean> {
  const { account, at, block, vault } = of
  const cursor = { table: chainCursors, id: String(of.chainId) }
  return {
    kind: 'note_exit_of_new_account',
    owner: 'exits',
    payload: {},
    preload: [leavingKey(account), cursor],
    decide(state, { now }) {
      if (state.row(exits, account)) return { response: true }
      if (state.row(chainCursors, cursor.id)?.number !== block) return { response: false }
      const open = { id: account, state: 'open' as const, exit_at: at, block, changed_at: now, owes: false, vault }
      return { rows: [write(exits, open)], response: true }
    },
  }
}

/**
 * Opens accounts whose exit is at a vault that the ledger has left and that holds nothing any more: it cannot pay them, and their balance is
 * at the new vault.
 */
export function closeAtReplaced(vault: string, accounts: readonly string[]): Command<number> {
  return {
    kind: 'close_exits_of_replaced_vault',
    owner: 'exits',
    payload: { vault },
    preload: accounts.map(leavingKey),
    decide(state, { now }) {
      const open = state
        .rows(exits, accounts)
        .flatMap((row) => (row && row.state !== 'closed' && row.vault === vault ? [row] : []))
      const rows = open.map((row) => write(exits, { ...row, state: 'closed', changed_at: now }))
      return { rows, response: rows.length }
    },
  }
}
