// @ts-check
import { nodeOf } from './balance-trees.mjs'
import { fromHex, join, sha256, toHex, uint128 } from './hash-bytes.mjs'

/**
 * The users trees of a header from the published proof data: an encrypted log of changed leaves, and the key of each quarter. Read it
 * beside docs/concepts/proofs.md, which defines every byte.
 *
 * @typedef {import('./balance-trees.mjs').Node} Node
 * @typedef {{ number: string, previous?: string, dataHash: string, depth: number, rtRoot: string, rtUsers: string, assets: readonly Record<string, string>[] }} Header
 * @typedef {{
 *   header: Header,
 *   keys: Readonly<Record<string, string>>,
 *   headers?: readonly Pick<Header, 'number' | 'previous' | 'dataHash'>[],
 *   rest?: (lines: number) => Promise<void>,
 * }} Of `header` must be one that the vault has stored. `headers` only help to name a wrong line. `rest` runs from time to time.
 */

/** The assets in the order of the trees. RT is the last one, and no vault pays it. */
const ASSETS = ['BNB', 'USDT', 'ETH', 'RT']

const KEYS_FORMAT = 'clearwell data keys 1'
const RT_TOKEN = `0x${'5254'.padStart(40, '0')}`
const NO_HASH = `0x${'00'.repeat(32)}`
const HEAD_BYTES = 20
const NUMBER_BYTES = 8
const TAG_BYTES = 16
const RECORD_BYTES = 53
const BATCH = 1_000
const REST_EVERY = 200

/** A fault of files that others gave. `code` is for programs that say it in other languages, with the values. */
export class DataFault extends Error {
  /** @param {string} code @param {Record<string, string | number>} values @param {string} text */
  constructor(code, values, text) {
    super(text)
    this.code = code
    this.values = values
  }
}

/**
 * Reads the leaves of each asset as of a header.
 *
 * @param {Iterable<string> | AsyncIterable<string>} lines of `data.jsonl`, from the first block on, without their ends
 * @param {Of} of
 * @returns {Promise<Map<number, Node>[]>} by asset and place
 * @throws DataFault that names the first fault: a changed or missing line, a missing key, a header that is not in the data.
 */
export async function readProofData(lines, of) {
  const log = new DataLog(of)
  let line = 0
  for await (const text of lines) {
    line += 1
    if (text.trim() === '') continue
    if (line % REST_EVERY === 0) await of.rest?.(line)
    if (await log.take(line, text)) break
  }
  return log.finish()
}

/**
 * Reads a file of published keys.
 *
 * @param {any} file
 * @returns {{ chainId: number, vault: string, keys: Record<string, string> } | undefined} `undefined` for another file
 */
export function readKeys(file) {
  if (file?.format !== KEYS_FORMAT || typeof file.keys !== 'object' || file.keys === null) return undefined
  return { chainId: file.chainId, vault: `${file.vault}`.toLowerCase(), keys: { ...file.keys } }
}

class DataLog {
  #of
  #last = 0n
  #first = 0n
  #hash = NO_HASH
  #ring
  /** `dataHash` of headers that are known, by number. @type {Map<bigint, string>} */
  #stated
  /** The last line whose hash a known header has. */
  #rightLine = 0
  /** The lines that contain the first fault. @type {[from: number, to: number] | undefined} */
  #wrong
  /** The first block that no key opens. @type {{ line: number, number: bigint } | undefined} */
  #closed
  #found = false
  /** @type {Map<number, Node>[]} */
  #leaves

  /** @param {Of} of */
  constructor(of) {
    this.#of = of
    this.#ring = new KeyRing(of.keys)
    this.#stated = new Map([...(of.headers ?? []), of.header].map((each) => [BigInt(each.number), each.dataHash]))
    this.#leaves = [...of.header.assets, RT_TOKEN].map(() => new Map())
  }

  /** Returns true at the header's own block. @param {number} line @param {string} text */
  async take(line, text) {
    const { number, block } = readLine(line, text)
    // Files that overlap are joined as they are.
    if (number <= this.#last) return false
    if (number > BigInt(this.#of.header.number)) return true
    if (this.#first === 0n) this.#first = number
    this.#last = number
    this.#hash = toHex(await sha256(join([0x30], fromHex(this.#hash, 32), block)))
    this.#compare(line, number)
    const records = await this.#ring.open(block)
    if (records) this.#set(line, records)
    else this.#closed ??= { line, number }
    this.#found = number === BigInt(this.#of.header.number)
    return this.#found
  }

  finish() {
    const { number, dataHash } = this.#of.header
    if (!this.#found) throw this.#missing(number)
    if (this.#hash !== dataHash) throw this.#changed(number)
    if (this.#closed) {
      const { line, number: of } = this.#closed
      const text = `line ${line}: no key opens the block of header ${of}. The key of its quarter is missing or wrong`
      throw new DataFault('key', { line, number: `${of}` }, text)
    }
    return this.#leaves
  }

  /** @param {number} line @param {bigint} number */
  #compare(line, number) {
    const stated = this.#stated.get(number)
    if (stated === undefined || this.#wrong) return
    if (stated === this.#hash) this.#rightLine = line
    else this.#wrong = [this.#rightLine + 1, line]
  }

  /** @param {number} line @param {Uint8Array} packed */
  #set(line, packed) {
    if (packed.length % RECORD_BYTES !== 0) throw malformed(line, 'the block has no whole records')
    const view = new DataView(packed.buffer, packed.byteOffset)
    for (let at = 0; at < packed.length; at += RECORD_BYTES) {
      const leaves = this.#leaves[view.getUint8(at)]
      const place = view.getUint32(at + 1)
      if (!leaves || place >= 2 ** this.#of.header.depth) throw malformed(line, 'a leaf is in no tree')
      leaves.set(place, { hash: packed.slice(at + 5, at + 37), sum: BigInt(toHex(packed.slice(at + 37, at + 53))) })
    }
  }

  /** @param {string} number */
  #missing(number) {
    const last = `${this.#last}`
    if (last === '0') return new DataFault('header', { number, last }, `the data have no block up to header ${number}`)
    const text = `the data have no block of header ${number}: the last one before it is that of header ${last}`
    return new DataFault('header', { number, last }, text)
  }

  /** @param {string} number */
  #changed(number) {
    const first = (this.#of.headers ?? []).find((each) => BigInt(each.number) === this.#first)
    if (first?.previous !== undefined && first.previous !== NO_HASH) {
      const text = `the data begin with header ${first.number}, and the blocks before it are missing`
      return new DataFault('beginning', { number: first.number }, text)
    }
    let [from, to] = this.#wrong ?? [1, 0]
    const closed = this.#closed?.line
    // Where some blocks open, one that does not is the changed one.
    if (closed !== undefined && closed >= from && closed <= to && !this.#ring.isUnused) from = to = closed
    if (from === to)
      return new DataFault('line', { line: from }, `line ${from}: the block was changed, or one before it is missing`)
    const text = `lines ${from} to ${to}: a block was changed, or one is missing, so the data do not lead to header ${number}`
    return new DataFault('lines', { from, to, number }, text)
  }
}

/** The keys of the quarters. Blocks follow the quarters, so the key of the last block is tried first. */
class KeyRing {
  #keys
  #used = 0
  isUnused = true

  /** @param {Readonly<Record<string, string>>} keys */
  constructor(keys) {
    const quarters = Object.keys(keys).toSorted()
    if (quarters.length === 0) throw new DataFault('no_keys', {}, 'there is no key')
    this.#keys = quarters.map((quarter) => importKey(quarter, keys[quarter] ?? ''))
  }

  /** Returns the records of a block; `undefined` if no key opens it. @param {Uint8Array} block */
  async open(block) {
    const [number, nonce] = [block.slice(0, NUMBER_BYTES), block.slice(NUMBER_BYTES, HEAD_BYTES)]
    const settings = { name: 'AES-GCM', iv: nonce, additionalData: number, tagLength: 8 * TAG_BYTES }
    for (let tried = 0; tried < this.#keys.length; tried++) {
      const index = (this.#used + tried) % this.#keys.length
      const key = await this.#keys[index]
      if (!key) continue
      const opened = await crypto.subtle.decrypt(settings, key, block.slice(HEAD_BYTES)).catch(() => undefined)
      if (!opened) continue
      this.#used = index
      this.isUnused = false
      return new Uint8Array(opened)
    }
    return undefined
  }
}

/** @param {string} quarter @param {string} hex */
function importKey(quarter, hex) {
  if (!/^(0x)?[0-9a-f]{64}$/i.test(hex)) throw new Error(`the key of ${quarter} is not 32 bytes in hex`)
  return crypto.subtle.importKey('raw', fromHex(hex, 32), 'AES-GCM', false, ['decrypt'])
}

/** @param {number} line @param {string} text */
function readLine(line, text) {
  try {
    const { number, block } = JSON.parse(text)
    const bytes = Uint8Array.from(atob(block), (each) => each.charCodeAt(0))
    if (bytes.length < HEAD_BYTES + TAG_BYTES) throw new Error('the block is too short')
    const own = BigInt(toHex(bytes.slice(0, NUMBER_BYTES)))
    if (own !== BigInt(number)) throw new Error(`the block is that of header ${own}`)
    return { number: own, block: bytes }
  } catch (error) {
    throw malformed(line, error instanceof Error ? error.message : `${error}`)
  }
}

/** @param {number} line @param {string} why */
function malformed(line, why) {
  return new DataFault('malformed', { line }, `line ${line}: this is no block of proof data (${why})`)
}

/** @param {string} asset @param {string} number */
function wrongRoot(asset, number) {
  return `the leaves of ${asset} do not lead to the root in header ${number}`
}

/** A users tree with all its nodes. */
export class UsersTree {
  /** From the leaves to the top; each level has only nodes that are not empty. @type {Map<number, Node>[]} */
  #levels
  /** An empty node of each level. @type {Node[]} */
  #empty

  /** @param {string} asset @param {string} token @param {Map<number, Node>[]} levels @param {Node[]} empty */
  constructor(asset, token, levels, empty) {
    this.asset = asset
    this.token = token
    this.#levels = levels
    this.#empty = empty
  }

  get leaves() {
    return /** @type {Map<number, Node>} */ (this.#levels[0])
  }

  get top() {
    return this.#at(this.#levels.length - 1, 0)
  }

  /** Returns the nodes beside a leaf, from the leaf to the top, as `/proof/mine` does. @param {number} place */
  path(place) {
    return this.#levels.slice(0, -1).map((_, height) => {
      const own = Math.floor(place / 2 ** height)
      const isRight = own % 2 === 1
      const { hash, sum } = this.#at(height, isRight ? own - 1 : own + 1)
      return { hash: toHex(hash), sum: `${sum}`, side: isRight ? 'left' : 'right' }
    })
  }

  /** @param {number} height @param {number} at @returns {Node} */
  #at(height, at) {
    return this.#levels[height]?.get(at) ?? /** @type {Node} */ (this.#empty[height])
  }
}

/**
 * Builds the tree of each asset that the vault pays, and checks it against the header. The tree of RT is checked too if `rtToken` is right.
 *
 * @param {readonly Map<number, Node>[]} leaves of {@link readProofData}
 * @param {Header} header
 * @param {string} [rtToken]
 * @returns {Promise<UsersTree[]>} in the order of the header, and RT
 * @throws DataFault for the first tree that has another root or sum than the header.
 */
export async function buildTrees(leaves, header, rtToken = RT_TOKEN) {
  const stated = [...header.assets, { token: rtToken, root: header.rtRoot, users: header.rtUsers }]
  const trees = []
  for (const [index, { token = '', root, users }] of stated.entries()) {
    const asset = index < header.assets.length ? (ASSETS[index] ?? token) : 'RT'
    const tree = await buildTree({ asset, token, leaves: leaves[index] ?? new Map(), depth: header.depth })
    const { hash, sum } = tree.top
    const own = toHex(await sha256(join([0x03], fromHex(token, 20), [header.depth], hash, uint128(sum))))
    // A header of before the first one of a ledger names no tree of RT.
    if (asset === 'RT' && root === NO_HASH) continue
    if (own !== root || sum !== BigInt(users ?? 0))
      throw new DataFault('root', { asset, number: header.number }, wrongRoot(asset, header.number))
    trees.push(tree)
  }
  return trees
}

/** @param {{ asset: string, token: string, leaves: Map<number, Node>, depth: number }} of */
async function buildTree({ asset, token, leaves, depth }) {
  const levels = [leaves]
  /** @type {Node[]} */
  const empty = [{ hash: await sha256(Uint8Array.of(0x02)), sum: 0n }]
  for (let height = 0; height < depth; height++) {
    const below = /** @type {Map<number, Node>} */ (levels[height])
    const nothing = /** @type {Node} */ (empty[height])
    /** @type {Map<number, Node>} */
    const level = new Map()
    const places = [...new Set([...below.keys()].map((place) => Math.floor(place / 2)))]
    for (let start = 0; start < places.length; start += BATCH)
      await Promise.all(
        places.slice(start, start + BATCH).map(async (place) => {
          level.set(place, await nodeOf(below.get(2 * place) ?? nothing, below.get(2 * place + 1) ?? nothing))
        }),
      )
    levels.push(level)
    empty.push(await nodeOf(nothing, nothing))
  }
  return new UsersTree(asset, token, levels, empty)
}
