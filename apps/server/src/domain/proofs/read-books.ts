import { arrayLiteral } from '@clearwell/ledger/array-literal'
import type { Queryable } from '@clearwell/ledger/database'
import { type BalanceRow, readBalances } from '@clearwell/ledger/read-balances'
import { readBatchNumber, readUserSums, sumChanges, sumPlacesOfUsers } from '@clearwell/ledger/read-moved-accounts'
import { readTip } from '@clearwell/ledger/reads'
import { ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import type { PlacedAccount } from '@clearwell/proofs/balance-trees'
import type { ChainBlock } from '../../platform/chain/chain.ts'
import { readCursor } from '../../platform/custody/chain-cursors.ts'
import { proofAccounts } from '../../platform/custody/proof-places.ts'
import { ALL_ACCOUNTS } from '../../platform/custody/vault-counters.ts'
import { readWatchedVault } from '../../platform/custody/watched-vault.ts'
import { USER_PLACES, type UserPlace, userAccount, VAULT } from '../../platform/ledger/accounts.ts'
import { type CoveredLines, LAST_LINE, rowLineHeads } from '../../platform/ledger/row-lines.ts'
import { lendingCash } from '../lending/lending-accounts.ts'
import { HEAD, type ProofHead, proofHeads } from './proof.tables.ts'
import { type HeldPosition, type Positions, readHeldPositions, readPositions } from './read-positions.ts'

/** The places that a leaf's `free` sums: what the account can use or has locked for transfers out. */
const FREE_PLACES = ['available', 'locked', 'rt_deposit'] as const satisfies readonly UserPlace[]
/** Accounts that are read together. */
const PER_PAGE = 2_000

export interface BookSource {
  readonly chainId: number
  /** In lower case. */
  readonly vault: string
  /** The operator's payout address, in lower case. It has no leaf. */
  readonly operator: string
}

/** The figures of a leaf now. */
export interface LeafFigures {
  readonly place: number
  readonly asset: AssetId
  readonly free: bigint
  readonly depositedSeen: bigint
  readonly paidSeen: bigint
}

/** Leaves in the order in which they are read. */
export interface BookPage {
  readonly accounts: readonly PlacedAccount[]
  readonly leaves: readonly LeafFigures[]
}

/** Receives leaves. */
export interface BookSink {
  /** The numbers of the headers that the leaves are known of. */
  readonly known: readonly bigint[]
  /** Forgets all leaves, before all are added. */
  clear(): void
  add(page: BookPage): void
}

/** Base units by asset and by place of the users' money. */
export type PlaceTotals = Readonly<Record<AssetId, Readonly<Record<UserPlace, bigint>>>>

/** Everything that a header contains beside the trees of balances, all of one moment. */
export interface BookMoment {
  /** All accounts were read, or only those that changed since the head. */
  readonly read: 'all' | 'changed'
  readonly number: bigint
  readonly ledgerSeq: bigint
  /** Hex with 0x, as all hashes here. */
  readonly entryHash: string
  readonly cursor: ChainBlock
  /** The last change of a place or of a counter. */
  readonly change: bigint
  /** The header that this one follows. */
  readonly head: ProofHead | undefined
  /** All that users have, or what was added to it since the head. */
  readonly places: PlaceTotals
  readonly owed: Readonly<Record<AssetId, bigint>>
  readonly cash: Readonly<Record<AssetId, bigint>>
  /** The operator's payout account, by asset. */
  readonly payouts: Readonly<Record<AssetId, bigint>>
  readonly counters: Readonly<Record<AssetId, { deposited: bigint; paid: bigint; exited: bigint; payoutPaid: bigint }>>
  /** Leaves that changed since the head; all of them in the first header of a vault. */
  readonly changed: readonly Pick<LeafFigures, 'place' | 'asset'>[]
  readonly positions: Positions
  /** The positions that the newest recorded header has. */
  readonly held: readonly HeldPosition[]
  /** The rules and the money parameters that can change, as text. */
  readonly rules: string
  /** The last line of rows; `undefined` before the first. */
  readonly lines: Pick<CoveredLines, 'number' | 'hash'> | undefined
  readonly box: { readonly day: number; readonly root: string } | undefined
}

/**
 * Reads the books for a header.
 *
 * @param tx sees one moment, as `readOneMoment` does.
 * @param sink receives the leaves that changed since the ledger's last header, or all if it does not know those of that header.
 * @returns `undefined` before the watcher has read a block.
 */
export async function readBooks(tx: Queryable, source: BookSource, sink: BookSink): Promise<BookMoment | undefined> {
  const cursor = await readCursor(tx, source.chainId)
  if (!cursor) return undefined
  const [head] = await tx.query<ProofHead>(`select ${proofHeads.columns} from proof_heads where id = $1`, [HEAD])
  const tip = await readTip(tx)
  const change = await readChange(tx)
  // The counters of another vault change every leaf.
  const base = head && (await isOfReplacedVault(tx, source, head)) ? undefined : head
  const isAll = base === undefined || !sink.known.includes(base.number)
  const moved = head ? await sumChanges(tx, { after: head.ledger_seq, to: tip.seq }) : []
  if (isAll) {
    sink.clear()
    await emitAll(tx, source, sink.add.bind(sink))
  }
  const emit = isAll ? () => {} : sink.add.bind(sink)
  const changed = base ? await readChanged(tx, source, { head: base, moved, emit }) : await readAll(tx, source)
  const balances = await readBalances(tx, [
    VAULT,
    userAccount(source.operator, 'locked'),
    ...ASSET_IDS.map(lendingCash),
  ])
  const unitsOf = (account: string, asset: AssetId) =>
    balances.find((each) => each.account === account && each.asset === asset)?.units ?? 0n
  return {
    read: isAll ? 'all' : 'changed',
    number: await readBatchNumber(tx),
    ledgerSeq: tip.seq,
    entryHash: `0x${Buffer.from(tip.hash).toString('hex')}`,
    cursor,
    change,
    head,
    places: isAll ? await readPlaceTotals(tx, source) : placeTotals(placesIn(moved, source)),
    owed: byAsset((asset) => -unitsOf(VAULT, asset)),
    cash: byAsset((asset) => unitsOf(lendingCash(asset), asset)),
    payouts: byAsset((asset) => unitsOf(userAccount(source.operator, 'locked'), asset)),
    counters: await readTotals(tx, source),
    changed,
    positions: await readPositions(tx),
    held: await readHeldPositions(tx),
    rules: await readRules(tx),
    lines: await readLastLine(tx),
    box: await readBox(tx),
  }
}

export function byAsset<Value>(read: (asset: AssetId) => Value): Record<AssetId, Value> {
  return Object.fromEntries(ASSET_IDS.map((asset) => [asset, read(asset)])) as Record<AssetId, Value>
}

type ProofAccount = PlacedAccount & { readonly account: string }

async function emitAll(tx: Queryable, source: BookSource, emit: (page: BookPage) => void): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await tx.query<{ id: string; place: number; salt: string }>(
      'select id, place, salt from proof_accounts where id > $1 order by id limit $2',
      [after, PER_PAGE],
    )
    const accounts = rows.filter(({ id }) => id !== source.operator).map(toPlaced)
    emit({ accounts, leaves: await readLeaves(tx, source, pairsOf(accounts)) })
    const last = rows.at(-1)
    if (!last || rows.length < PER_PAGE) return
    after = last.id
  }
}

const pairsOf = (accounts: readonly ProofAccount[]) =>
  accounts.flatMap((account) => ASSET_IDS.map((asset) => ({ account, asset })))

/** A header that was made before the ledger moved to its vault of today. */
async function isOfReplacedVault(tx: Queryable, { chainId }: BookSource, head: ProofHead): Promise<boolean> {
  const watched = await readWatchedVault(tx, chainId)
  return watched !== undefined && watched.since >= head.made_at
}

/** In the first header of a vault every leaf is new. */
async function readAll(tx: Queryable, { operator }: BookSource): Promise<BookMoment['changed']> {
  const rows = await tx.query<{ place: number }>('select place from proof_accounts where id <> $1', [operator])
  return rows.flatMap(({ place }) => ASSET_IDS.map((asset) => ({ place, asset })))
}

/** Finds the leaves that changed since the head, and emits them. */
async function readChanged(
  tx: Queryable,
  source: BookSource,
  { head, moved, emit }: { head: ProofHead; moved: readonly BalanceRow[]; emit: (page: BookPage) => void },
): Promise<BookMoment['changed']> {
  const touched = new Map<string, Set<AssetId>>()
  for (const { account, asset } of moved) {
    const owner = ownerOf(account)
    if (owner) touched.set(owner, (touched.get(owner) ?? new Set()).add(asset))
  }
  const marked = await tx.query<{ id: string; place: number; salt: string }>(
    'select id, place, salt from proof_accounts where change > $1',
    [head.change.toString()],
  )
  for (const { id } of marked) touched.set(id, new Set(ASSET_IDS))
  touched.delete(source.operator)
  const known = await proofAccounts.load(tx, [...touched.keys()])
  const accounts = known.map(toPlaced)
  const pairs = accounts.flatMap((account) =>
    Array.from(touched.get(account.account) ?? [], (asset) => ({ account, asset })),
  )
  if (accounts.length < touched.size) throw new Error('an account with money has no place in the trees')
  emit({ accounts, leaves: await readLeaves(tx, source, pairs) })
  return pairs.map(({ account: { place }, asset }) => ({ place, asset }))
}

const toPlaced = ({ id, place, salt }: { id: string; place: number; salt: string }): ProofAccount => ({
  place,
  account: id as `0x${string}`,
  salt: salt as `0x${string}`,
})

async function readLeaves(
  tx: Queryable,
  { vault }: BookSource,
  pairs: readonly { account: ProofAccount; asset: AssetId }[],
): Promise<LeafFigures[]> {
  if (pairs.length === 0) return []
  const users = pairs.map(({ account }) => account.account)
  const assets = pairs.map(({ asset }) => asset)
  const free = await readUserSums(tx, { users, assets }, FREE_PLACES)
  const ids = pairs.map(({ account, asset }) => `${vault}:${account.account}:${asset}`)
  // The vault counts exits of an account as paid.
  const counted = await tx.query<{ id: string; deposited: bigint; paid: bigint }>(
    'select id, deposited, paid + exited as paid from vault_counters where id = any($1::text[])',
    [arrayLiteral(ids)],
  )
  const counters = new Map(counted.map((row) => [row.id, row]))
  return pairs.map(({ account: { place }, asset }, index) => {
    const { deposited = 0n, paid = 0n } = counters.get(ids[index] as string) ?? {}
    return { place, asset, free: free[index] as bigint, depositedSeen: deposited, paidSeen: paid }
  })
}

async function readPlaceTotals(tx: Queryable, { operator }: BookSource): Promise<PlaceTotals> {
  return placeTotals(await sumPlacesOfUsers(tx, operator))
}

/** The changes on users' accounts, without the operator's. */
function placesIn(moved: readonly BalanceRow[], { operator }: BookSource) {
  return moved.flatMap(({ account, asset, units }) => {
    const owner = ownerOf(account)
    if (!owner || owner === operator) return []
    return [{ place: account.slice(account.lastIndexOf(':') + 1), asset, units }]
  })
}

function placeTotals(rows: readonly { place: string; asset: AssetId; units: bigint }[]): PlaceTotals {
  const none = { available: 0n, locked: 0n, collateral: 0n, rt_deposit: 0n }
  const totals = byAsset(() => ({ ...none }))
  for (const { place, asset, units } of rows) {
    const known = USER_PLACES.find((each) => each === place)
    if (!known) throw new Error(`a user has money in an unknown place: ${place}`)
    totals[asset][known] += units
  }
  return totals
}

function ownerOf(account: string): string | undefined {
  return account.startsWith('user:') ? account.slice(5, account.lastIndexOf(':')) : undefined
}

async function readChange(tx: Queryable): Promise<bigint> {
  const [row] = await tx.query<{ last: bigint }>("select last from proof_changes where id = 'last'")
  return row?.last ?? 0n
}

async function readTotals(tx: Queryable, { vault, operator }: BookSource): Promise<BookMoment['counters']> {
  const rows = await tx.query<{ account: string; asset: AssetId; deposited: bigint; paid: bigint; exited: bigint }>(
    'select account, asset, deposited, paid, exited from vault_counters where vault = $1 and account = any($2::text[])',
    [vault, arrayLiteral([ALL_ACCOUNTS, operator])],
  )
  const find = (account: string, asset: AssetId) => rows.find((row) => row.account === account && row.asset === asset)
  return byAsset((asset) => {
    const { deposited = 0n, paid = 0n, exited = 0n } = find(ALL_ACCOUNTS, asset) ?? {}
    return { deposited, paid, exited, payoutPaid: find(operator, asset)?.paid ?? 0n }
  })
}

async function readRules(tx: Queryable): Promise<string> {
  const rows = await tx.query<{ id: string; schedule: string; changes: number }>(
    'select id, schedule, changes from rules',
  )
  const sorted = rows.map(({ id, schedule, changes }) => [id, schedule, changes] as const).sort(byName)
  return JSON.stringify(['clearwell proofs 1', sorted])
}

async function readLastLine(tx: Queryable): Promise<BookMoment['lines']> {
  const [last] = await rowLineHeads.load(tx, [LAST_LINE.id])
  return last && { number: `${last.number}`, hash: last.hash }
}

function byName([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number {
  return a < b ? -1 : 1
}

const DAY_MS = 86_400_000

async function readBox(tx: Queryable): Promise<BookMoment['box']> {
  const [row] = await tx.query<{ day: string; boxes_root: string }>(
    'select day, boxes_root from box_days where boxes_root is not null order by day desc limit 1',
  )
  if (!row) return undefined
  return { day: Date.parse(`${row.day}T00:00:00Z`) / DAY_MS, root: `0x${row.boxes_root.replace(/^0x/, '')}` }
}
