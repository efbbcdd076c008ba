import { hash } from 'node:crypto'
import type { Database } from '@clearwell/ledger/database'
import { readOneMoment } from '@clearwell/ledger/reads'
import { ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import {
  type BalanceChange,
  BalanceTrees,
  CHANGE_BYTES,
  packChange,
  type TreeHead,
} from '@clearwell/proofs/balance-trees'
import type { Hex } from '@clearwell/proofs/bytes'
import { type AssetFigures, type Header, type HeaderDomain, hashHeader } from '@clearwell/proofs/header'
import { hashPools, treeOfPositions } from '@clearwell/proofs/positions'
import { chainProofData, NO_PROOF_DATA, type ProofRecord, quarterOf, sealRecords } from '@clearwell/proofs/proof-data'
import { VAULT_ASSETS } from '../../platform/custody/vault-books.ts'
import type { UserPlace } from '../../platform/ledger/accounts.ts'
import { type CoveredLines, coverLines } from '../../platform/ledger/row-lines.ts'
import { dataKey } from './data-key.ts'
import { changedPositions, type PositionChanges, type PositionLeaf, positionLeaves } from './position-leaves.ts'
import {
  type BookMoment,
  type BookPage,
  type BookSink,
  type BookSource,
  byAsset,
  type PlaceTotals,
  readBooks,
} from './read-books.ts'
import type { Positions } from './read-positions.ts'

export const NO_HASH: Hex = `0x${'00'.repeat(32)}`

/** A header with everything that is stored with it. */
export interface MadeHeader {
  readonly header: Header
  readonly hash: Hex
  /** The vault that the hash names, in lower case. */
  readonly vault: string
  /** The changed leaves, encrypted. */
  readonly block: Buffer
  /** The quarter of the block's key. */
  readonly quarter: string
  /** The last change of a place or of a counter that it contains. */
  readonly change: bigint
  /** The last line of rows that it covers. */
  readonly lines: CoveredLines | null
  /** The positions that it has and the header before has not, and the other way round. */
  readonly positions: PositionChanges
  /** The number of the header that it follows. */
  readonly after: bigint | undefined
}

export interface ProofSettings {
  readonly domain: HeaderDomain
  /** Zero for BNB, `0x5254` in 20 bytes for RT. */
  readonly tokens: Readonly<Record<AssetId, Hex>>
  /** The keys of the proof data derive from it. */
  readonly dataSecret: Buffer
}

interface HeaderPlaces {
  readonly number: bigint
  readonly places: PlaceTotals
}

/** The trees of balances and the totals of the users' places, as of a header. */
export class ProofBooks implements BookSink {
  readonly #settings: ProofSettings
  #trees: BalanceTrees
  /** The header that the totals belong to, and the one that was made last, which may never be recorded. */
  #base: HeaderPlaces | undefined
  #made: HeaderPlaces | undefined

  constructor(settings: ProofSettings) {
    this.#settings = settings
    this.#trees = this.#newTrees()
  }

  get known(): readonly bigint[] {
    return [this.#base, this.#made].flatMap((each) => (each ? [each.number] : []))
  }

  clear(): void {
    this.#trees = this.#newTrees()
    this.#base = undefined
    this.#made = undefined
  }

  add({ accounts, leaves }: BookPage): void {
    for (const account of accounts) if (!this.#trees.isPlaced(account.place)) this.#trees.place(account)
    const packed = Buffer.alloc(leaves.length * CHANGE_BYTES)
    for (const [index, { asset, ...leaf }] of leaves.entries()) {
      const change: BalanceChange = { ...leaf, asset: ASSET_IDS.indexOf(asset) }
      packChange(change, packed, index * CHANGE_BYTES)
    }
    this.#trees.change(packed)
  }

  /**
   * Makes the header of a moment whose pages were added.
   *
   * @throws Error if the leaves are not all of the users' money: a fault of this code or of the books, and nothing may be signed.
   */
  make(moment: BookMoment): MadeHeader {
    const { number, head, change } = moment
    if (head && head.number >= number) throw new Error(`header ${number} would not follow header ${head.number}`)
    if (head && this.#made?.number === head.number) this.#base = this.#made
    const places = moment.read === 'all' ? moment.places : addPlaces(this.#base, moment)
    const heads = this.#trees.heads()
    const { block, quarter, dataHash } = this.#seal(moment)
    const lines = moment.lines ? { rules: hashRules(moment), ...moment.lines } : null
    const { domain, tokens } = this.#settings
    const leaves = positionLeaves(moment.positions, tokens)
    const header = assembleHeader(moment, {
      settings: this.#settings,
      leaves,
      places,
      heads,
      dataHash,
      lines,
      depth: this.#trees.depth,
    })
    this.#made = { number, places }
    return {
      ...{ header, hash: hashHeader(header, domain), vault: domain.vault.toLowerCase() },
      ...{ block, quarter, change, after: head?.number, lines },
      positions: changedPositions(leaves, moment.held, number),
    }
  }

  #newTrees(): BalanceTrees {
    return new BalanceTrees(ASSET_IDS.map((asset) => this.#settings.tokens[asset]))
  }

  #seal({ changed, number, cursor, head }: BookMoment) {
    const records = changed
      .map(({ place, asset }): ProofRecord => {
        const index = ASSET_IDS.indexOf(asset)
        const leaf = this.#trees.leaf(index, place)
        return { asset: index, place, hash: `0x${leaf.hash.toString('hex')}`, sum: leaf.sum }
      })
      .sort((a, b) => a.asset - b.asset || a.place - b.place)
    const quarter = quarterOf(cursor.time)
    const block = sealRecords(dataKey(this.#settings.dataSecret, quarter), number, records)
    const before = head ? Buffer.from(head.data_hash.slice(2), 'hex') : NO_PROOF_DATA
    return { block, quarter, dataHash: hexOf(chainProofData(before, block)) }
  }
}

/** Joins what was read and the trees. Pure: the same books make the same header. */
function assembleHeader(
  moment: BookMoment,
  from: {
    readonly settings: Pick<ProofSettings, 'tokens'>
    readonly leaves: readonly PositionLeaf[]
    readonly places: PlaceTotals
    readonly heads: readonly TreeHead[]
    readonly dataHash: Hex
    readonly depth: number
    readonly lines: CoveredLines | null
  },
): Header {
  const { cursor, head, positions, box } = moment
  const { lines, leaves, settings } = from
  const { tokens } = settings
  const figures = byAsset((asset) => figuresOf(moment, { ...from, asset }))
  return {
    number: moment.number,
    previous: (head?.hash as Hex | undefined) ?? NO_HASH,
    ledgerSeq: moment.ledgerSeq,
    entryHash: moment.entryHash as Hex,
    cursorBlock: cursor.number,
    cursorHash: cursor.hash as Hex,
    cursorTime: Math.floor(cursor.time.getTime() / 1_000),
    positionsRoot: rootOfLeaves(leaves),
    pools: hexOf(hashPools(poolTotals(positions, { tokens, cash: moment.cash }))),
    rules: lines ? coverLines(lines) : hashRules(moment),
    boxDay: box?.day ?? 0,
    boxRoot: (box?.root as Hex | undefined) ?? NO_HASH,
    dataHash: from.dataHash,
    depth: from.depth,
    rtRoot: figures.RT.root,
    rtUsers: figures.RT.users,
    assets: VAULT_ASSETS.map((asset) => figures[asset]),
  }
}

function hashRules({ rules }: Pick<BookMoment, 'rules'>): Hex {
  return `0x${hash('sha256', rules)}`
}

function figuresOf(
  moment: BookMoment,
  of: {
    readonly asset: AssetId
    readonly settings: Pick<ProofSettings, 'tokens'>
    readonly places: PlaceTotals
    readonly heads: readonly TreeHead[]
  },
): AssetFigures {
  const { asset, heads } = of
  const tree = heads[ASSET_IDS.indexOf(asset)]
  const { available, locked, rt_deposit, collateral } = of.places[asset]
  const users = available + locked + rt_deposit
  if (!tree || tree.sum !== users)
    throw new Error(`the leaves of ${asset} sum to ${tree?.sum}, and the users have ${users}`)
  const payouts = moment.payouts[asset]
  const lending = moment.cash[asset] + collateral
  const house = moment.owed[asset] - users - payouts - lending
  if (house < 0n) throw new Error(`the ledger owes ${-house} base units of ${asset} less than it lists`)
  const { deposited, paid, exited, payoutPaid } = moment.counters[asset]
  return {
    token: of.settings.tokens[asset],
    root: hexOf(tree.root),
    ...{ users, lending, payouts, house },
    locked: locked + payouts,
    depositedSeen: deposited,
    paidSeen: paid,
    exitedSeen: exited,
    payoutPaidSeen: payoutPaid,
  }
}

/** Returns the root of all positions and the hash of all pools, as a header has them. */
export function hashAllPositions(
  positions: Positions,
  of: { readonly tokens: ProofSettings['tokens']; readonly cash: BookMoment['cash'] },
): Pick<Header, 'positionsRoot' | 'pools'> {
  return {
    positionsRoot: rootOfLeaves(positionLeaves(positions, of.tokens)),
    pools: hexOf(hashPools(poolTotals(positions, of))),
  }
}

function rootOfLeaves(leaves: readonly PositionLeaf[]): Hex {
  return hexOf(treeOfPositions(leaves.map(({ hash }) => Buffer.from(hash.slice(2), 'hex'))).root())
}

/** The totals of the pool of every asset, in the order of the assets. An asset without a pool has zeros. */
function poolTotals(
  { orders, pools }: Positions,
  { tokens, cash }: { tokens: ProofSettings['tokens']; cash: BookMoment['cash'] },
) {
  return ASSET_IDS.map((asset) => {
    const pool = pools.find((each) => each.asset === asset)
    const own = orders.filter(({ borrow_asset }) => borrow_asset === asset)
    return {
      asset: tokens[asset],
      cash: cash[asset],
      shares: pool?.shares ?? 0n,
      debtShares: pool?.debt_shares ?? 0n,
      indexE27: pool?.index_e27 ?? 0n,
      collateral: ASSET_IDS.map((held) =>
        own.reduce((sum, each) => (each.collateral_asset === held ? sum + each.collateral : sum), 0n),
      ),
    }
  })
}

function addPlaces(of: HeaderPlaces | undefined, { head, places: more }: BookMoment): PlaceTotals {
  if (!of || of.number !== head?.number) throw new Error('the changes do not follow the header that the totals are of')
  const base = of.places
  return byAsset((asset) => {
    const sum = (place: UserPlace) => base[asset][place] + more[asset][place]
    return {
      available: sum('available'),
      locked: sum('locked'),
      collateral: sum('collateral'),
      rt_deposit: sum('rt_deposit'),
    }
  })
}

function hexOf(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString('hex')}`
}

/** Reads the books of one moment and makes their header; `undefined` before the watcher has read a block. */
export async function makeHeader(db: Database, books: ProofBooks, source: BookSource): Promise<MadeHeader | undefined> {
  const moment = await readOneMoment(db, (tx) => readBooks(tx, source, books))
  return moment && books.make(moment)
}
