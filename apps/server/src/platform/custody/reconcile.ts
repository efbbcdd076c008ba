import { readArchiveEnd } from '@clearwell/ledger/archives'
import type { Database, Queryable } from '@clearwell/ledger/database'
import { type BalanceRow, sumBalances } from '@clearwell/ledger/read-balances'
import { sumPostings } from '@clearwell/ledger/read-postings'
import { readOneMoment } from '@clearwell/ledger/reads'
import { ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import type { Chain, ChainBlock } from '../chain/chain.ts'
import {
  INSURANCE,
  REFERRAL,
  REWARDS,
  RT_EARNINGS,
  RT_PROGRAM,
  TREASURY,
  USER_PLACES,
  VAULT,
} from '../ledger/accounts.ts'
import { ChainUnclear, readVaultBooks, readVaultHolding, type VaultAsset, type VaultBooks } from './vault-books.ts'

/** Entries that one sum covers. */
const ENTRIES_AT_ONCE = 50_000n
/** Blocks that one request to the node covers. */
const BLOCKS_AT_ONCE = 2_000n

export type UnitsByAsset = Readonly<Record<AssetId, bigint>>

export interface Sum {
  readonly count: number
  readonly units: UnitsByAsset
}

/** Compares a feature's tables with the ledger, to the unit. Returns one sentence per fault. */
export type Audit = (tx: Queryable) => Promise<readonly string[]>

/** The ledger compared with the vault, as of the watcher's cursor. */
export interface Reconciliation {
  readonly cursor: VaultBooks['cursor']
  readonly head: bigint
  readonly entries: bigint
  /** Those of them that are in archives: their postings are not summed. */
  readonly archived: bigint
  /** The ledger's totals by class of owner. Every account except `vault` is in exactly one class. */
  readonly classes: readonly { readonly name: string; readonly units: UnitsByAsset }[]
  readonly sum: UnitsByAsset
  /** The vault's holding at the cursor's block; for RT, which exists only in the ledger, its fixed supply. */
  readonly held: UnitsByAsset
  /** The block that the vault was read at: the cursor's, or the head if the node keeps no older state. */
  readonly vaultReadAt: bigint
  /** `held` minus `sum`. Negative: a shortfall. */
  readonly difference: UnitsByAsset
  /** On the chain after the cursor, so not credited yet. */
  readonly unconfirmedIn: Sum
  readonly unconfirmedOut: Sum
  /** Withdrawals that can still be paid. They equal the locked amounts. */
  readonly openVouchers: Sum
  /** Payments by the vault without a matching order that are not settled. */
  readonly unknownPayments: Sum
  /** The sum of all postings: zero for each asset. */
  readonly postings: UnitsByAsset
  /** One sentence per fault. Empty if the books balance. */
  readonly faults: readonly string[]
}

/**
 * Compares the whole ledger with the vault, to the unit, and runs the features' audits. Unlike the solvency check it reads
 * every entry, so its duration grows with the ledger.
 *
 * @returns `undefined` while the watcher has not read a block.
 * @throws the errors of {@link readVaultHolding}.
 */
export async function reconcile(
  { db, chain }: { db: Database; chain: Chain },
  { rtSupply, audits }: { rtSupply: bigint; audits: readonly Audit[] },
): Promise<Reconciliation | undefined> {
  const ledger = await readLedger(db, chain.id, audits)
  if (!ledger) return undefined
  const { books, archived, classes, openVouchers, unknownPayments, kept, found } = ledger
  const head = await chain.head()
  const flight = await unconfirmed(chain, { from: books.cursor.number + 1n, to: head.number })
  const { onChain, vaultReadAt } = await holdingAtCursor(chain, books.cursor, head, flight)
  const postings = await sumAllPostings(db, books.tipSeq)

  const sum = addUp(classes.map((each) => each.units))
  const held = { ...onChain, RT: rtSupply }
  const difference = perAsset((asset) => held[asset] - sum[asset])
  const locked = classes.find((each) => each.name === 'users locked')?.units
  const faults = ASSET_IDS.flatMap((asset) => {
    const say = (is: boolean, text: string) => (is ? [text] : [])
    return [
      ...say(difference[asset] < 0n, `${asset}: ${-difference[asset]} base units are missing`),
      ...say(
        asset === 'RT' && difference.RT > 0n,
        `RT: ${difference.RT} base units of the supply are not in any account`,
      ),
      ...say(postings[asset] !== 0n, `${asset}: all postings sum to ${postings[asset]} base units and not to zero`),
      ...say(kept[asset] !== 0n, `${asset}: all balances sum to ${kept[asset]} base units and not to zero`),
      ...say(
        (locked?.[asset] ?? 0n) !== openVouchers.units[asset],
        `${asset}: ${locked?.[asset] ?? 0n} base units are locked, and ${openVouchers.units[asset]} are in open vouchers`,
      ),
    ]
  })
  return {
    cursor: books.cursor,
    head: head.number,
    entries: books.tipSeq,
    archived,
    classes,
    sum,
    held,
    vaultReadAt,
    difference,
    ...flight,
    openVouchers,
    unknownPayments,
    postings,
    faults: [...faults, ...found],
  }
}

/**
 * Reads the vault's holding at the cursor's block. If the node no longer has that state, computes the same amount from the
 * head's: minus later deposits, plus later withdrawals.
 *
 * @throws ChainUnclear where the block at the cursor was replaced, and the node's error where it has no state at either block.
 */
export async function holdingAtCursor(
  chain: Pick<Chain, 'block' | 'vaultHolding'>,
  cursor: VaultBooks['cursor'],
  head: Pick<ChainBlock, 'number' | 'hash'>,
  { unconfirmedIn, unconfirmedOut }: { unconfirmedIn: Sum; unconfirmedOut: Sum },
) {
  try {
    return { onChain: await readVaultHolding(chain, cursor), vaultReadAt: cursor.number }
  } catch (error) {
    // A replaced block at the cursor is not a lack of history.
    if (error instanceof ChainUnclear || head.number <= cursor.number) throw error
    const now = await readVaultHolding(chain, head).catch(() => {
      throw error
    })
    const then = (asset: VaultAsset) => now[asset] - unconfirmedIn.units[asset] + unconfirmedOut.units[asset]
    return { onChain: { BNB: then('BNB'), USDT: then('USDT'), ETH: then('ETH') }, vaultReadAt: head.number }
  }
}

/** Reads the ledger's side in one consistent snapshot. */
async function readLedger(db: Database, chainId: number, audits: readonly Audit[]) {
  return readOneMoment(db, async (tx) => {
    const books = await readVaultBooks(tx, chainId)
    if (!books) return undefined
    const balances = await sumBalances(tx)
    const classes = classesOf(balances.filter((row) => row.account !== VAULT))
    const vault = unitsByAsset(balances.filter((row) => row.account === VAULT))
    const openVouchers = await sumOf(
      tx,
      `select count(*) as count, asset, sum(amount) as units from withdrawal_orders
       where status in ('locked', 'signed') group by asset`,
    )
    const unknownPayments = await sumOf(
      tx,
      'select count(*) as count, asset, sum(units) as units from unknown_withdrawals where settled_at is null group by asset',
    )
    const kept = addUp([vault, ...classes.map((each) => each.units)])
    const found: string[] = []
    for (const audit of audits) found.push(...(await audit(tx)))
    const archived = (await readArchiveEnd(tx))?.seq ?? 0n
    return { books, archived, classes, openVouchers, unknownPayments, kept, found }
  })
}

/** Groups balances by owner. An account of an unknown class is listed under its own name, so that none is left out. */
function classesOf(balances: readonly BalanceRow[]): { name: string; units: UnitsByAsset }[] {
  const byClass = Map.groupBy(balances, ({ account }) =>
    account.replace(/^user:\*:/, 'users ').replace(/^pool:/, 'pool '),
  )
  const found = [...byClass.keys()].toSorted()
  const known = [
    ...USER_PLACES.map((place) => `users ${place}`),
    ...found.filter((name) => name.startsWith('pool ')),
    ...[REWARDS, REFERRAL, INSURANCE, TREASURY, RT_PROGRAM, RT_EARNINGS],
  ]
  const others = found.filter((name) => !known.includes(name))
  return [...known, ...others].map((name) => ({ name, units: unitsByAsset(byClass.get(name) ?? []) }))
}

async function sumOf(tx: Queryable, text: string): Promise<Sum> {
  const rows = await tx.query<{ count: bigint; asset: AssetId; units: bigint }>(text)
  return { count: rows.reduce((count, row) => count + Number(row.count), 0), units: unitsByAsset(rows) }
}

/** Sums all postings in ranges of entries. Entries never change, so the ranges need no common snapshot. */
async function sumAllPostings(db: Queryable, tip: bigint): Promise<UnitsByAsset> {
  const sums: UnitsByAsset[] = []
  for (let after = 0n; after < tip; after += ENTRIES_AT_ONCE) {
    const to = after + ENTRIES_AT_ONCE < tip ? after + ENTRIES_AT_ONCE : tip
    sums.push(unitsByAsset(await sumPostings(db, { after, to })))
  }
  return addUp(sums)
}

async function unconfirmed(chain: Chain, { from, to }: { from: bigint; to: bigint }) {
  const moved = { in: { count: 0, units: new Map<AssetId, bigint>() }, out: { count: 0, units: new Map() } }
  for (let start = from; start <= to; start += BLOCKS_AT_ONCE) {
    const end = start + BLOCKS_AT_ONCE - 1n < to ? start + BLOCKS_AT_ONCE - 1n : to
    const found = await chain.movements({ from: start, to: end })
    // The holding of a replaced vault does not count.
    const isHere = ({ replacedVault }: { readonly replacedVault?: string }) => replacedVault === undefined
    const [deposits, withdrawals] = [
      found.deposits.filter(isHere),
      [...found.withdrawals, ...(found.exits ?? [])].filter(isHere),
    ]
    for (const [direction, movements] of [
      ['in', deposits],
      ['out', withdrawals],
    ] as const) {
      moved[direction].count += movements.length
      const { units } = moved[direction]
      for (const movement of movements) units.set(movement.asset, (units.get(movement.asset) ?? 0n) + movement.units)
    }
  }
  const sum = ({ count, units }: typeof moved.in): Sum => ({
    count,
    units: perAsset((asset) => units.get(asset) ?? 0n),
  })
  return { unconfirmedIn: sum(moved.in), unconfirmedOut: sum(moved.out) }
}

function perAsset(of: (asset: AssetId) => bigint): UnitsByAsset {
  return { BNB: of('BNB'), USDT: of('USDT'), ETH: of('ETH'), RT: of('RT') }
}

function unitsByAsset(rows: readonly { readonly asset: AssetId; readonly units: bigint }[]): UnitsByAsset {
  return perAsset((asset) => rows.find((row) => row.asset === asset)?.units ?? 0n)
}

function addUp(all: readonly UnitsByAsset[]): UnitsByAsset {
  return perAsset((asset) => all.reduce((sum, units) => sum + units[asset], 0n))
}
