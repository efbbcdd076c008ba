// @ts-check
import { fromHex, join, sha256, toHex, uint128 } from './hash-bytes.mjs'

/**
 * The users trees of an exported ledger, with separate code: read it beside docs/concepts/proofs.md, which defines
 * every byte. The trees grow from the leaves, level by level, and a level holds only nodes that are not empty.
 *
 * @typedef {[seq: string, kind: string, at: string, reference: string, postings: [account: string, asset: string, units: string][]]} Entry
 * @typedef {{
 *   format: string,
 *   operator: string,
 *   depth: number,
 *   tokens: Record<string, string>,
 *   accounts: { account: string, place: number, salt: string }[],
 *   seen: { account: string, asset: string, deposited: string, paid: string }[],
 *   entries: Entry[],
 * }} Books
 * @typedef {{ hash: Uint8Array, sum: bigint }} Node
 * @typedef {{ root: string, users: bigint, lending: bigint, payouts: bigint, house: bigint, locked: bigint }} Figures
 */

export const FORMAT = 'clearwell books 1'

const LIMIT = 1n << 128n
/** Hashes in progress at a time. */
const BATCH = 1_000
/** Where the money of a user can be, and the part of the total that it belongs to. */
const PARTS = /** @type {Record<string, 'users' | 'lending'>} */ ({
  available: 'users',
  locked: 'users',
  rt_deposit: 'users',
  collateral: 'lending',
})

/**
 * Replays the entries and builds the tree of each asset.
 *
 * @param {Books} books
 * @returns {Promise<{ ledgerSeq: bigint, entryHash: string, assets: Record<string, Figures> }>}
 * @throws Error that names the first fault: an entry that does not sum to zero, an account below zero, a place used twice.
 */
export async function readBooks(books) {
  if (books.format !== FORMAT) throw new Error(`the format is ${books.format}, not ${FORMAT}`)
  const ledger = new Ledger(books.operator)
  for (const entry of books.entries) await ledger.add(entry)
  const roots = await readRoots(books, ledger)
  /** @type {Record<string, Figures>} */
  const assets = {}
  for (const asset of Object.keys(books.tokens)) assets[asset] = { root: roots[asset] ?? '', ...ledger.totalsOf(asset) }
  return { ledgerSeq: BigInt(ledger.seq), entryHash: ledger.hash, assets }
}

/** The balances after some entries, and the hash of the last. */
export class Ledger {
  /** @type {Map<string, bigint>} */
  balances = new Map()
  seq = 0
  hash = toHex(new Uint8Array(32))
  operator
  /** The balances before the first entry are known: there are none, or they were given. */
  #knowsBalances

  /**
   * @param {string} operator
   * @param {{ seq: number, hash: string }} [after] the entry before the first
   * @param {Map<string, bigint>} [balances] after that entry
   */
  constructor(operator, after, balances) {
    this.operator = operator
    this.#knowsBalances = after === undefined || after.seq === 0 || balances !== undefined
    if (balances) this.balances = balances
    if (after) [this.seq, this.hash] = [after.seq, after.hash]
  }

  /** @param {Entry} entry @throws Error that names the entry and its fault */
  async add(entry) {
    const [seq, kind, , , postings] = entry
    if (seq !== `${this.seq + 1}`) throw new Error(`entry ${this.seq + 1} is missing`)
    this.seq += 1
    this.hash = toHex(await sha256(join(fromHex(this.hash, 32), new TextEncoder().encode(JSON.stringify(entry)))))
    /** @type {Map<string, bigint>} */
    const sums = new Map()
    for (const [account, asset, units] of postings) {
      const key = `${account} ${asset}`
      const after = (this.balances.get(key) ?? 0n) + BigInt(units)
      if (after < 0n && account !== 'vault' && this.#knowsBalances)
        throw new Error(`entry ${seq} (${kind}) takes ${key} below zero`)
      this.balances.set(key, after)
      sums.set(asset, (sums.get(asset) ?? 0n) + BigInt(units))
    }
    if ([...sums.values()].some((sum) => sum !== 0n)) throw new Error(`entry ${seq} (${kind}) does not sum to zero`)
  }

  /** Adds each account to its part of the total. @param {string} asset */
  totalsOf(asset) {
    return totalsOf(this.operator, this.balances, asset)
  }
}

/**
 * Builds the root of each asset.
 *
 * @param {Pick<Books, 'accounts' | 'seen' | 'tokens' | 'depth'>} books
 * @param {Ledger} ledger
 * @returns {Promise<Record<string, string>>}
 */
export async function readRoots(books, ledger) {
  /** @type {Record<string, string>} */
  const roots = {}
  for (const [asset, token] of Object.entries(books.tokens)) {
    const leaves = await leavesOf(books, ledger.balances, asset)
    const top = await topOf(leaves, books.depth)
    roots[asset] = toHex(await sha256(join([0x03], fromHex(token, 20), [books.depth], top.hash, uint128(top.sum))))
    if (ledger.totalsOf(asset).users !== top.sum) throw new Error(`the leaves of ${asset} are not all of its users`)
  }
  return roots
}

/** @param {Pick<Books, 'accounts' | 'seen' | 'tokens' | 'depth'>} books @param {Map<string, bigint>} balances @param {string} asset */
async function leavesOf({ accounts, seen, tokens, depth }, balances, asset) {
  const counted = new Map(seen.filter((each) => each.asset === asset).map((each) => [each.account, each]))
  /** @type {Map<number, Node>} */
  const leaves = new Map()
  await inBatches(accounts, async ({ account, place, salt }) => {
    if (place < 0 || place >= 2 ** depth || leaves.has(place))
      throw new Error(`place ${place} is used twice or outside`)
    const places = asset === 'RT' ? ['available', 'locked', 'rt_deposit'] : ['available', 'locked']
    const sum = places.reduce((total, name) => total + (balances.get(`user:${account}:${name} ${asset}`) ?? 0n), 0n)
    const { deposited = '0', paid = '0' } = counted.get(account) ?? {}
    const id = [fromHex(salt, 32), fromHex(account, 20), fromHex(tokens[asset] ?? '', 20)]
    leaves.set(place, { hash: new Uint8Array(), sum })
    const amounts = [sum, BigInt(deposited), BigInt(paid)].map(uint128)
    leaves.set(place, { hash: await sha256(join([0x00], ...id, ...amounts)), sum })
  })
  return leaves
}

/** Joins the nodes of each level in pairs, up to the top. @param {Map<number, Node>} leaves @param {number} depth */
async function topOf(leaves, depth) {
  let level = leaves
  /** @type {Node} */
  let empty = { hash: await sha256(Uint8Array.of(0x02)), sum: 0n }
  for (let height = 0; height < depth; height++) {
    const below = level
    const nothing = empty
    level = new Map()
    await inBatches([...new Set([...below.keys()].map((place) => Math.floor(place / 2)))], async (place) => {
      level.set(place, await nodeOf(below.get(2 * place) ?? nothing, below.get(2 * place + 1) ?? nothing))
    })
    empty = await nodeOf(nothing, nothing)
  }
  return level.get(0) ?? empty
}

/** @param {Node} left @param {Node} right @returns {Promise<Node>} */
export async function nodeOf(left, right) {
  const sum = left.sum + right.sum
  if (sum >= LIMIT) throw new Error(`the sum ${sum} does not fit into 128 bits`)
  return { hash: await sha256(join([0x01], left.hash, uint128(left.sum), right.hash, uint128(right.sum))), sum }
}

/** @param {string} operator @param {Map<string, bigint>} balances @param {string} asset */
function totalsOf(operator, balances, asset) {
  const totals = { users: 0n, lending: 0n, payouts: 0n, house: 0n, locked: 0n }
  for (const [key, units] of balances) {
    const [name = '', held] = key.split(' ')
    if (held !== asset || name === 'vault') continue
    const [kind, owner, place = ''] = name.split(':')
    if (place === 'locked' && kind === 'user') totals.locked += units
    if (kind === 'user' && owner === operator) totals[place === 'locked' ? 'payouts' : 'house'] += units
    else if (kind === 'user') totals[PARTS[place] ?? 'house'] += units
    else if (kind === 'lending' && place === 'cash') totals.lending += units
    else totals.house += units
  }
  return totals
}

/** @template Value @param {readonly Value[]} values @param {(value: Value) => Promise<void>} run */
async function inBatches(values, run) {
  for (let start = 0; start < values.length; start += BATCH)
    await Promise.all(values.slice(start, start + BATCH).map(run))
}
