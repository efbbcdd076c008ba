import type { Hex } from 'viem'
import type { EndState } from './end-state.ts'
import type { AccountSlot } from './exit-state.ts'
import type { MoveReading } from './read-move.ts'

/** Facts about a move of the ledger that an account needs. `vault` is the other vault. */
export type Moved =
  /** The exit is at this vault, whose money goes to `vault`. */
  | { readonly kind: 'open'; readonly vault: Hex }
  /** No exit is here, and `vault` takes the request. */
  | { readonly kind: 'none'; readonly vault: Hex }
  /** The owner names no other vault now. */
  | { readonly kind: 'unknown' }
  /** The exit is at `vault`, which the ledger has left. */
  | { readonly kind: 'earlier'; readonly vault: Hex; readonly requestedAt: number }

/** Decides which vault an account leaves by; `undefined`: by this one, and nothing has moved. */
export function describeMove({
  account,
  end,
  move,
}: {
  readonly account: Pick<AccountSlot, 'exitAt'>
  readonly end: EndState
  readonly move: MoveReading
}): Moved | undefined {
  const isOpen = account.exitAt !== 0
  if (move.earlier && !isOpen) return { kind: 'earlier', ...move.earlier }
  if (end.step !== 'moved') return undefined
  if (!move.successor) return { kind: 'unknown' }
  return { kind: isOpen ? 'open' : 'none', vault: move.successor }
}
