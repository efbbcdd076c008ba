import type { ResponseOf } from '@clearwell/api/routes'
import type { Queryable } from '@clearwell/ledger/database'
import { formatAmount } from '@clearwell/money/amount'
import { ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import { encodeHeader, type Header } from '@clearwell/proofs/header'
import { zeroHash } from 'viem'
import { findPostedRoot, findRootsAround } from '../../domain/proofs/find-posted-roots.ts'
import type { OwnLeaf, OwnLeaves } from '../../domain/proofs/own-leaves-port.ts'
import type { PostedRootRow } from '../../domain/proofs/posted-roots.ts'
import { findRoot } from '../../domain/proofs/signed-roots.ts'
import { cutOf } from './describe-exit.ts'

type Claims = ResponseOf<'proofClaims'>
type Claim = Claims['claims'][number]

/** An account without a leaf in a tree, in the form of the contract. */
const NO_LEAF = { salt: zeroHash, free: '0', deposited_seen: '0', paid_seen: '0' }

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
  const roots = decides === base ? [base] : [base, decides]
  const counters = await readCounters(db, vault, account)
  const claims = ASSET_IDS.flatMap((asset) => {
    const index = decides.header.assets.findIndex(({ token }) => token.toLowerCase() === tokens[asset].toLowerCase())
    const leaf = own.find((each) => each.asset === asset)
    const { deposited, paid } = counters.get(asset) ?? { deposited: 0n, paid: 0n }
    const claim = claimOf({ asset, token: tokens[asset], index, leaf, deposited, paid })
    return index < 0 || !claim ? [] : [claim]
  })
  return {
    vault,
    base: describeRoot(around.base),
    roots: roots.map(({ row, header }) => ({ header: encodeHeader(header), ...referTo(row) })),
    next: around.next
      ? { header_hash: around.next.header_hash, ...referTo(around.next) }
      : { header_hash: zeroHash, posted_at: 0, seq: 0 },
    claims,
  }
}

/** A root of the vault, and its header in this ledger. */
interface KnownRoot {
  readonly row: PostedRootRow
  readonly header: Header
}

interface LastPayment {
  readonly root: PostedRootRow
  readonly block: bigint
}

/**
 * Decides whether the root of the account's last exit is the base again, as `_baseOf` of the vault does. A base that does not know the
 * payment of that exit may hold the same money in another asset.
 */
function isBaseAgain(last: LastPayment, { row, header }: KnownRoot): boolean {
  return last.block > header.cursorBlock && last.root.seq !== row.seq
}

/** Describes the base of an exit to its owner. */
function describeRoot({ number, posted_at, tx_hash }: PostedRootRow): Claims['base'] {
  return { number: `${number}`, posted_at: posted_at.toISOString(), tx_hash }
}

function referTo({ posted_at, seq }: PostedRootRow) {
  return { posted_at: posted_at.getTime() / 1_000, seq: Number(seq) }
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

/** @returns `undefined` if the header of the root is not in this ledger. */
async function readHeaderOf(db: Queryable, row: PostedRootRow): Promise<KnownRoot | undefined> {
  const root = await findRoot(db, row.number)
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

/** Computes as the vault does: `free + (deposited − depositedSeen) − (paid − paidSeen)`. */
function claimOf({
  asset,
  token,
  index,
  leaf,
  deposited,
  paid,
}: {
  readonly asset: AssetId
  readonly token: string
  readonly index: number
  readonly leaf: OwnLeaf | undefined
  readonly deposited: bigint
  readonly paid: bigint
}): Claim | undefined {
  const of = leaf ?? NO_LEAF
  const units = BigInt(of.free) + deposited - BigInt(of.deposited_seen) - paid + BigInt(of.paid_seen)
  if (units <= 0n) return undefined
  const { salt, free, deposited_seen, paid_seen } = of
  return {
    ...{ asset, amount: formatAmount({ asset, units }), token, index },
    leaf: { salt, free, deposited_seen, paid_seen },
    place: leaf?.index ?? 0,
    path: (leaf?.path ?? []).map(({ hash, sum }) => ({ hash, sum })),
  }
}
