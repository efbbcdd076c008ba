import type { Queryable } from '@clearwell/ledger/database'
import type { AssetId } from '@clearwell/money/asset'
import { findOwnHeaders, findPostedRoot, findRootsAround } from '../../domain/proofs/find-posted-roots.ts'
import type { OwnLeaves } from '../../domain/proofs/own-leaves-port.ts'
import type { PostedRootRow } from '../../domain/proofs/posted-roots.ts'
import { findRoot } from '../../domain/proofs/signed-roots.ts'
import {
  type Claims,
  decideClaims,
  describeRoots,
  isBaseAgain,
  type KnownRoot,
  type LastPayment,
} from './decide-claims.ts'
import { cutOf } from './describe-exit.ts'

export interface ClaimSource {
  readonly db: Queryable
  readonly tokens: Readonly<Record<AssetId, string>>
  readonly leaves: OwnLeaves
}

/**
 * Finds the arguments of `finishExit` for an account.
 *
 * @param of.exitAt the time of its request.
 * @param of.vault the vault of its exit, in lower case: the ledger can have left it.
 * @returns `undefined` if no root up to the cut is booked, or the server has no path in it.
 */
export async function findClaims(
  { db, tokens, leaves }: ClaimSource,
  { account, exitAt, vault }: { readonly account: string; readonly exitAt: Date; readonly vault: string },
): Promise<Claims | undefined> {
  const around = await findRootsAround(db, { vault, until: cutOf(exitAt) })
  const base = around && (await readHeaderOf(db, around.base))
  if (!around || !base) return undefined
  const last = await findLastPayment(db, vault, account)
  const decides = last && isBaseAgain(last, base) ? await readHeaderOf(db, last.root) : base
  const own = decides && (await leaves.inHeader(account, decides.header.number, vault))
  if (!decides || !own) return undefined
  const counters = await readCounters(db, vault, account)
  const roots = describeRoots(decides === base ? [base] : [base, decides], around.next)
  return { vault, ...roots, claims: decideClaims(decides.header, { tokens, own, counters }) }
}

/** A payment by a vault ($2) after the ledger has left it. No counters have it: those of the ledger's vault are in the leaves. */
const PAID_SINCE_LEFT = `(
  not exists (
    select 1 from counted_exits where counted_exits.id = exit_payments.id and counted_exits.taken_back_at is null
  )
  and exists (select 1 from replaced_vaults where replaced_vaults.vault = $2 and booked_at >= replaced_at)
)`

/** Finds the root under which the vault last paid an exit of the account, and the block of that payment. */
async function findLastPayment(db: Queryable, vault: string, account: string): Promise<LastPayment | undefined> {
  const [last] = await db.query<{ base: bigint; block: bigint }>(
    `select base, block from exit_payments
     where user_id = $1 and taken_back_at is null and base is not null
       and (exists (select 1 from counted_exits where counted_exits.id = exit_payments.id and vault = $2) or ${PAID_SINCE_LEFT})
     order by block desc limit 1`,
    [account, vault],
  )
  const root = last && (await findPostedRoot(db, vault, last.base))
  return root && { root, block: last.block }
}

/**
 * Reads the header of a root.
 *
 * @returns `undefined` if this ledger has none with its number and hash: a thief of keys or another ledger has posted the root.
 */
async function readHeaderOf(db: Queryable, row: PostedRootRow): Promise<KnownRoot | undefined> {
  const { number, header_hash: headerHash } = row
  const own = await findOwnHeaders(db, [{ number, headerHash }])
  const root = own.has(number) ? await findRoot(db, number) : undefined
  return root && { row, header: root.header }
}

/** Reads the counters that the vault has of an account now. An asset that it has only paid after a move has no row there. */
async function readCounters(db: Queryable, vault: string, account: string) {
  const rows = await db.query<{ asset: AssetId; deposited: bigint; paid: bigint }>(
    `select asset, sum(deposited) as deposited, sum(paid) as paid from (
       select asset, deposited, paid + exited as paid from vault_counters where account = $1 and vault = $2
       union all
       select asset, 0, units from exit_payments where user_id = $1 and taken_back_at is null and ${PAID_SINCE_LEFT}
     ) counted group by asset`,
    [account, vault],
  )
  return new Map(rows.map((row) => [row.asset, row]))
}
