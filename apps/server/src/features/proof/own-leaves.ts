import type { ResponseOf } from '@clearwell/api/routes'
import type { Queryable } from '@clearwell/ledger/database'
import { ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import type { Hex } from '@clearwell/proofs/bytes'
import { EMPTY_HASH, hashLeaf } from '@clearwell/proofs/leaf'
import { rootOfPath } from '@clearwell/proofs/sum-tree'
import type { PlacePath } from '../../domain/proofs/path-trees.ts'
import type { ProofThread } from '../../domain/proofs/proof-thread.ts'
import { proofAccounts } from '../../platform/custody/proof-places.ts'
import type { SignedHeader } from './signed-headers.ts'

type OwnLeaf = Extract<ResponseOf<'proofMine'>['leaves'][number], { kind: 'user' }>

/** The newest deposits, and payments, of an account and asset that are tried: those that the ledger booked after the header. */
const MAX_EVENTS = 32

export interface LeafDependencies {
  readonly db: Queryable
  readonly prove: ProofThread['prove']
  readonly tokens: Readonly<Record<AssetId, Hex>>
  /** In lower case. */
  readonly vault: string
}

/**
 * Returns an account's leaves in a header with their paths, each checked against the header's root. Empty if the header has no
 * leaf of the account.
 *
 * @returns `undefined` if the header is too old: its changes are forgotten, or the account had too many deposits or payments since.
 */
export async function findOwnLeaves(
  deps: LeafDependencies,
  account: string,
  { header }: Pick<SignedHeader, 'header'>,
): Promise<OwnLeaf[] | undefined> {
  const [owner] = await proofAccounts.load(deps.db, [account])
  if (!owner) return []
  const paths = await deps.prove(BigInt(header.number), owner.place)
  if (!paths) return undefined
  const leaves: OwnLeaf[] = []
  for (const [index, asset] of ASSET_IDS.entries()) {
    const found = paths[index] as PlacePath
    // The account got its place after the header.
    if (found.leaf.hash.equals(EMPTY_HASH)) continue
    const seen = await findSeen(deps, { account, asset, salt: owner.salt as Hex, found })
    if (!seen) return undefined
    assertRoot(header, { asset, token: deps.tokens[asset], place: owner.place, found })
    const amounts = { free: `${found.leaf.sum}`, deposited_seen: `${seen.deposited}`, paid_seen: `${seen.paid}` }
    const path = found.path.map(({ hash, sum }, height) => ({
      ...{ hash: `0x${hash.toString('hex')}`, sum: `${sum}` },
      side: (owner.place >>> height) & 1 ? ('left' as const) : ('right' as const),
    }))
    leaves.push({ kind: 'user', asset, ...amounts, salt: owner.salt, index: owner.place, path })
  }
  return leaves
}

/**
 * Finds the counters that a leaf contains. The stored ones are those of now, so the newest events are taken out one by one until the
 * leaf has the same hash.
 */
async function findSeen(
  { db, tokens, vault }: LeafDependencies,
  of: { readonly account: string; readonly asset: AssetId; readonly salt: Hex; readonly found: PlacePath },
): Promise<{ deposited: bigint; paid: bigint } | undefined> {
  const { account, asset, salt, found } = of
  const { hash, sum: free } = found.leaf
  const isLeaf = (depositedSeen: bigint, paidSeen: bigint) =>
    hashLeaf({ salt, account: account as Hex, asset: tokens[asset], free, depositedSeen, paidSeen }).equals(hash)
  const [counted] = await db.query<{ deposited: bigint; paid: bigint }>(
    'select deposited, paid + exited as paid from vault_counters where id = $1 and account = $2',
    [`${vault}:${account}:${asset}`, account],
  )
  const { deposited: now, paid: paidNow } = counted ?? { deposited: 0n, paid: 0n }
  if (isLeaf(now, paidNow)) return { deposited: now, paid: paidNow }
  const deposits = await db.query<{ units: bigint }>(
    `select units from deposits where user_id = $1 and asset = $2 and counted_by = $3 and taken_back_at is null
     order by credited_at desc, id desc limit $4`,
    [account, asset, vault, MAX_EVENTS],
  )
  const payments = await db.query<{ units: bigint }>(
    `select units from (
       (select amount as units, completed_at as at, id from withdrawal_orders
        where user_id = $1 and asset = $2 and counted_by = $3 and status = 'completed'
        order by completed_at desc, id desc limit $4)
       union all
       (select units, seen_at, id from unknown_withdrawals where account = $1 and asset = $2 order by seen_at desc, id desc limit $4)
       union all
       (select units, counted_at, id from counted_exits
        where account = $1 and asset = $2 and vault = $3 and taken_back_at is null
        order by counted_at desc, id desc limit $4)
     ) payments order by at desc, id desc limit $4`,
    [account, asset, vault, MAX_EVENTS],
  )
  for (const paid of countersBefore(paidNow, payments))
    for (const deposited of countersBefore(now, deposits)) if (isLeaf(deposited, paid)) return { deposited, paid }
  return undefined
}

/** The counter now, before its last event, before the last two, and so on. */
function countersBefore(now: bigint, events: readonly { readonly units: bigint }[]): bigint[] {
  const counters = [now]
  for (const { units } of events) {
    const before = (counters.at(-1) as bigint) - units
    if (before >= 0n) counters.push(before)
  }
  return counters
}

/** A path that does not lead to the header's root is a fault of this server: the call fails. */
function assertRoot(
  header: SignedHeader['header'],
  of: { readonly asset: AssetId; readonly token: Hex; readonly place: number; readonly found: PlacePath },
): void {
  const { asset, token, place, found } = of
  const stated = asset === 'RT' ? header.rtRoot : header.assets.find((each) => each.token === token)?.root
  const root = rootOfPath({ asset: token, depth: header.depth, ...found, place })
  if (stated !== `0x${root.toString('hex')}`)
    throw new Error(`the path of ${asset} does not lead to the root of header ${header.number}`)
}
