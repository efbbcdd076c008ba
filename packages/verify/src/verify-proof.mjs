// @ts-check
import { nodeOf } from './balance-trees.mjs'
import { fromHex, join, sha256, toHex, uint128 } from './hash-bytes.mjs'
import { hashHeader } from './hash-header.mjs'
import { keyList } from './key-list.mjs'
import { checkPositions } from './positions.mjs'
import { recoverSigner } from './secp256k1.mjs'
import { verifyLines } from './verify-lines.mjs'

/**
 * Checks the export of one account line by line and stops at the first fault.
 *
 * @typedef {{ chainId: number, vault: string, tokens: Record<string, string>, account: string, from: string, start: [place: string, asset: string, units: string][], archived?: Archived }} Head
 * @typedef {{ to: string, at: string }} Archived the last entry that is in an archive of the operator, and its time
 * @typedef {[seq: string, position: number, kind: string, at: string, place: string, asset: string, units: string, after: string]} Posting
 * @typedef {{ hash: string, sum: string, side: string }} Step
 * @typedef {{ asset: string, free: string, deposited_seen: string, paid_seen: string, salt: string, index: number, path: Step[] }} Leaf
 * @typedef {Record<string, any> & { assets: Record<string, any>[] }} Header
 * @typedef {import('./positions.mjs').Position} Position
 * @typedef {{ lines: number, postings: number, leaves: number, positions: number, header: string, signer: string, free: Record<string, string>, balances: Head['start'], archived?: Archived }} Counts
 * @typedef {{ account?: string, header?: string, start?: { from: string, balances: Head['start'] } }} Known what the file must be about: the account in lower case, the hash of the header, and the balances at its beginning
 * @typedef {{ valid: true, counts: Counts } | { valid: false, line: number, fault: string }} Verdict
 */

const FORMAT = 'clearwell proof 1'
/** The places whose money a leaf contains. */
const FREE = ['available', 'locked', 'rt_deposit']

/**
 * @param {Iterable<string> | AsyncIterable<string>} lines without their ends
 * @param {{ rootKey?: string, bookkeeperKey?: string } & Known} expected the addresses that must have signed the header, those of
 *   bookkeepers with commas between them, and what is known of the file
 * @returns {Promise<Verdict>}
 */
export function verifyProof(lines, { rootKey, bookkeeperKey, ...known } = {}) {
  const keys = { root: rootKey?.toLowerCase(), bookkeepers: keyList(bookkeeperKey) }
  return verifyLines(lines, new ProofCheck(keys, known))
}

class ProofCheck {
  /** @type {Head | undefined} */
  #head
  /** @type {Header | undefined} */
  #header
  #hash = ''
  #signer = ''
  #ended = false
  /** By place and asset. @type {Map<string, bigint>} */
  #balances = new Map()
  #postings = 0
  /** @type {[seq: bigint, position: number]} */
  #last = [0n, -1]
  /** By asset. @type {Record<string, string>} */
  #free = {}
  #index = -1
  #salt = ''
  /** @type {Position[] | undefined} */
  #positions
  #rootKey
  #bookkeepers
  #known

  /** @param {{ root: string | undefined, bookkeepers: readonly string[] }} keys @param {Known} known */
  constructor({ root, bookkeepers }, known) {
    this.#rootKey = root
    this.#bookkeepers = bookkeepers
    this.#known = known
  }

  get counts() {
    const leaves = Object.keys(this.#free).length
    /** @type {Head['start']} */
    const balances = [...this.#balances].flatMap(([key, units]) => {
      const [place = '', asset = ''] = key.split(' ')
      return units > 0n ? [[place, asset, `${units}`]] : []
    })
    const positions = this.#positions?.length ?? 0
    const counted = { postings: this.#postings, leaves, positions, free: this.#free, balances }
    const { archived } = this.#head ?? {}
    return { ...counted, header: this.#hash, signer: this.#signer, ...(archived ? { archived } : {}) }
  }

  /** @param {any} value @param {number} number */
  async line(value, number) {
    if (this.#ended) throw new Error('there is a line after the end')
    if (number === 1) this.#begin(value)
    else if (value.posting) this.#posting(value.posting)
    else if (value.header) await this.#readHeader(value)
    else if (value.leaf) await this.#leaf(value.leaf)
    else if (value.end !== number - 1) throw new Error('the line has no known kind, or lines are missing')
    else this.#ended = true
  }

  end() {
    if (!this.#ended) throw new Error('the end is missing')
    if (!this.#header) throw new Error('the header is missing')
    this.#checkCollateral()
    if (this.#positions?.some(({ salt }) => this.#salt !== '' && salt !== this.#salt))
      throw new Error('a position has another salt than the leaves')
    for (const [key, units] of this.#balances) {
      const [place = '', asset = ''] = key.split(' ')
      // Without leaves the account is in no tree, so it may have nothing that a leaf contains.
      if (FREE.includes(place) && units > 0n && this.#free[asset] === undefined)
        throw new Error(`the rows leave ${units} of ${asset}, and no leaf contains it`)
    }
  }

  /** @param {any} head */
  #begin(head) {
    if (head.format !== FORMAT) throw new Error(`the format is ${head.format}, not ${FORMAT}`)
    this.#head = head
    if (BigInt(head.from) <= 1n && head.start.length > 0) throw new Error('an account begins with nothing')
    const { account, start } = this.#known
    if (account !== undefined && head.account !== account) throw new Error('the file is that of another account')
    if (head.archived !== undefined && BigInt(head.from) !== BigInt(head.archived.to) + 1n)
      throw new Error('the rows do not begin after the archive')
    // Rows in an archive are no longer given out. The caller shows where the rows begin.
    const isCut = start !== undefined && head.archived !== undefined && BigInt(start.from) < BigInt(head.from)
    if (start && !isCut && (head.from !== start.from || sorted(head.start) !== sorted(start.balances)))
      throw new Error('the balances at the beginning are not those of the last check')
    for (const [place, asset, units] of head.start) this.#balances.set(`${place} ${asset}`, BigInt(units))
  }

  /** @param {Posting} posting */
  #posting([seq, position, , , place, asset, units, after]) {
    if (this.#header) throw new Error('there is a row after the header')
    const [lastSeq, lastPosition] = this.#last
    const entry = BigInt(seq)
    if (entry < BigInt(this.#headOf().from) || entry < lastSeq || (entry === lastSeq && position <= lastPosition))
      throw new Error(`the row of entry ${seq} is not in its order`)
    this.#last = [entry, position]
    const key = `${place} ${asset}`
    const balance = (this.#balances.get(key) ?? 0n) + BigInt(units)
    if (balance < 0n) throw new Error(`entry ${seq} takes ${key} below zero`)
    if (balance !== BigInt(after))
      throw new Error(`after entry ${seq} the rows leave ${balance} of ${key}, and the row says ${after}`)
    this.#balances.set(key, balance)
    this.#postings += 1
  }

  /** The collateral of the orders is the one in the rows: no open order is left out. */
  #checkCollateral() {
    if (!this.#positions) return
    for (const asset of Object.keys(this.#headOf().tokens)) {
      const held = this.#balances.get(`collateral ${asset}`) ?? 0n
      const stated = this.#positions.reduce(
        (sum, each) => (each.kind === 'order' && each.collateral_asset === asset ? sum + BigInt(each.collateral) : sum),
        0n,
      )
      if (stated !== held) throw new Error(`the orders have ${stated} of ${asset} as collateral, and the rows ${held}`)
    }
  }

  /** @param {{ header: Header, hash: string, signature: string, bookkeeper?: string, positions?: Position[] }} line */
  async #readHeader({ header, hash, signature, bookkeeper, positions }) {
    if (this.#header) throw new Error('there is a second header')
    const { chainId, vault } = this.#headOf()
    if (hashHeader(/** @type {any} */ (header), { chainId, verifyingContract: vault }) !== hash)
      throw new Error(`header ${header.number} has another hash`)
    if (this.#known.header !== undefined && this.#known.header !== hash)
      throw new Error(`header ${header.number} is another one than expected`)
    const signer = recoverSigner(hash, signature)
    if (!signer || (this.#rootKey && signer !== this.#rootKey))
      throw new Error(`header ${header.number} has the signature of another key`)
    const isOfKnown = () => this.#bookkeepers.includes((bookkeeper && recoverSigner(hash, bookkeeper)) || '')
    if (this.#bookkeepers.length > 0 && !isOfKnown())
      throw new Error(`header ${header.number} has no signature of the bookkeeper`)
    if (this.#last[0] > BigInt(header.ledgerSeq)) throw new Error('a row is newer than the header')
    if (positions) await checkPositions(positions, { ...this.#headOf(), header: /** @type {any} */ (header) })
    this.#positions = positions
    this.#header = header
    this.#hash = hash
    this.#signer = signer
  }

  /** @param {Leaf} leaf */
  async #leaf(leaf) {
    const { asset, free, index, salt, path } = leaf
    const header = this.#header
    if (!header) throw new Error('a leaf is before the header')
    if (this.#free[asset] !== undefined) throw new Error(`there is a second leaf of ${asset}`)
    if (this.#salt !== '' && (this.#salt !== salt || this.#index !== index))
      throw new Error(`the leaf of ${asset} has another place or salt than the others`)
    this.#salt = salt
    this.#index = index
    const sum = FREE.reduce((total, place) => total + (this.#balances.get(`${place} ${asset}`) ?? 0n), 0n)
    if (sum !== BigInt(free)) throw new Error(`the leaf has ${free} of ${asset}, and the rows leave ${sum}`)
    const { tokens, account } = this.#headOf()
    const token = tokens[asset]
    if (token === undefined) throw new Error(`${asset} has no token`)
    const stated = asset === 'RT' ? header.rtRoot : header.assets.find((each) => each.token === token)?.root
    if (path.length !== header.depth) throw new Error(`the path of ${asset} has ${path.length} steps`)
    if ((await rootOf(leaf, { account, token })) !== stated)
      throw new Error(`the path of ${asset} does not lead to the root in header ${header.number}`)
    this.#free[asset] = free
  }

  #headOf() {
    if (!this.#head) throw new Error('the first line is missing')
    return this.#head
  }
}

/** Balances as text that does not depend on their order. @param {Head['start']} balances */
function sorted(balances) {
  return JSON.stringify(balances.map((each) => each.join(' ')).sort())
}

/** Hashes a leaf and joins it with its path. @param {Leaf} leaf @param {{ account: string, token: string }} of */
export async function rootOf({ free, deposited_seen, paid_seen, salt, index, path, asset }, { account, token }) {
  if (!Number.isInteger(index) || index < 0 || index >= 2 ** path.length) throw new Error(`${index} is no place`)
  const amounts = [free, deposited_seen, paid_seen].map((units) => uint128(BigInt(units)))
  const id = [fromHex(salt, 32), fromHex(account, 20), fromHex(token, 20)]
  /** @type {import('./balance-trees.mjs').Node} */
  let node = { hash: await sha256(join([0x00], ...id, ...amounts)), sum: BigInt(free) }
  for (const [height, { hash, sum, side }] of path.entries()) {
    const other = { hash: fromHex(hash, 32), sum: BigInt(sum) }
    if (other.sum < 0n) throw new Error(`the path of ${asset} has a sum below zero`)
    const isRight = ((index >>> height) & 1) === 1
    if (side !== (isRight ? 'left' : 'right')) throw new Error(`the path of ${asset} is not the one of place ${index}`)
    node = isRight ? await nodeOf(other, node) : await nodeOf(node, other)
  }
  return toHex(await sha256(join([0x03], fromHex(token, 20), [path.length], node.hash, uint128(node.sum))))
}
