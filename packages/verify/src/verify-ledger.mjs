// @ts-check
import { Ledger, readRoots } from './balance-trees.mjs'
import { toHex } from './hash-bytes.mjs'
import { hashHeader } from './hash-header.mjs'
import { keccak256 } from './keccak.mjs'
import { keyList } from './key-list.mjs'
import { recoverSigner } from './secp256k1.mjs'
import { ArchiveCheck } from './verify-archive.mjs'
import { verifyLines } from './verify-lines.mjs'

/**
 * Checks an exported ledger line by line and stops at the first fault.
 *
 * @typedef {import('./balance-trees.mjs').Entry} Entry
 * @typedef {import('./balance-trees.mjs').Figures} Figures
 * @typedef {{ chainId: number, vault: string, operator: string, depth: number, tokens: Record<string, string>, after?: { seq: string, hash: string, carried?: number } }} Head
 * @typedef {Record<string, any> & { assets?: Record<string, any>[] }} Header
 * @typedef {{ header: Header, hash: string, signature: string | null, bookkeeper?: string, refusal?: { reason: string, signature: string } }} HeaderLine
 * @typedef {{ lines: number, entries: number, headers: number, entryHash: string, lastHeader: string | undefined, taken: number }} Counts
 *   `taken`: the entries of archives that were not given. The balances after them are the export's own word
 * @typedef {{ valid: true, counts: Counts } | { valid: false, line: number, fault: string, file?: string }} Verdict
 */

const FORMAT = 'clearwell ledger 1'
const NO_HASH = `0x${'00'.repeat(32)}`

/**
 * @param {Iterable<string> | AsyncIterable<string>} lines without their ends
 * @param {{ rootKey?: string, bookkeeperKey?: string, vaults?: readonly string[] }} expected the addresses that must have signed each
 * header; one of the bookkeepers', with commas between them, from the first on that one has signed. And the vaults that the ledger was at,
 * oldest first: the file's own word counts only without them, for a ledger that was at one vault
 * @param {readonly { name: string, lines: Iterable<string> | AsyncIterable<string> }[]} archives the files with the entries before those
 * of the export, oldest first
 * @returns {Promise<Verdict>} a fault in an archive has its name as `file`
 */
export async function verifyLedger(lines, { rootKey, bookkeeperKey, vaults = [] } = {}, archives = []) {
  const known = vaults.map((vault) => vault.toLowerCase())
  const check = new LedgerCheck(rootKey?.toLowerCase(), keyList(bookkeeperKey), known)
  for (const archive of archives) {
    const verdict = await verifyLines(archive.lines, new ArchiveCheck(check))
    if (!verdict.valid) return { ...verdict, file: archive.name }
  }
  return verifyLines(lines, check)
}

class LedgerCheck {
  /** @type {Head | undefined} */
  #head
  #ended = false
  /** The operator is known from the export's first line on, and counts for totals alone. */
  #ledger = new Ledger('')
  /** @type {{ account: string, place: number, salt: string }[]} */
  #accounts = []
  /** @type {{ account: string, asset: string, deposited: string, paid: string }[]} */
  #seen = []
  /** The hash of each entry, and the totals at each. @type {Map<string, string>} */
  #hashes = new Map([['0', NO_HASH]])
  /** Headers come after the entries, so the totals are those of an earlier entry. @type {{ header: Header, hash: string, vault: number }[]} */
  #headers = []
  #previous = NO_HASH
  #number = 0n
  /** The last header, if it has no signature yet. @type {string | undefined} */
  #unsigned
  /** @type {Entry[]} */
  #entries = []
  #rootKey
  #bookkeepers
  /** A bookkeeper has signed a header. */
  #hasBookkeeper = false
  /** In lower case, oldest first. */
  #vaults
  /** The index of the vault that the last header is of. */
  #at = 0
  /** The entries before those of an export without its archives, and the balances after them. */
  #taken = { seq: 0, hash: NO_HASH, balances: /** @type {Map<string, bigint>} */ (new Map()) }
  /** Carried balances of the export that were read, those that are not zero, and how many of these the archives have. */
  #carried = { rows: 0, held: 0, expected: /** @type {number | undefined} */ (undefined) }

  /** @param {string | undefined} rootKey @param {readonly string[]} bookkeepers @param {readonly string[]} vaults */
  constructor(rootKey, bookkeepers, vaults) {
    this.#rootKey = rootKey
    this.#bookkeepers = bookkeepers
    this.#vaults = vaults
  }

  get counts() {
    const { seq, hash } = this.#ledger
    const lastHeader = this.#headers.at(-1)?.hash
    return { entries: seq, headers: this.#headers.length, entryHash: hash, lastHeader, taken: this.#taken.seq }
  }

  /** @param {any} value @param {number} number */
  async line(value, number) {
    if (this.#ended) throw new Error('there is a line after the end')
    if (number === 1) return this.#begin(value)
    if (number === (this.#head?.after?.carried ?? 0) + 2) this.#endCarried()
    if (value.carried) return this.#carry(value.carried)
    if (value.entry) return this.#entry(value.entry, value.hash)
    if (value.header) return this.#header(value)
    if (value.account) {
      const [account, place, salt] = value.account
      this.#accounts.push({ account, place, salt })
    } else if (value.seen) {
      const [account, asset, deposited, paid] = value.seen
      this.#seen.push({ account, asset, deposited, paid })
    } else if (value.end !== number - 1) throw new Error('the line has no known kind, or lines are missing')
    else this.#ended = true
  }

  /** @param {any} head */
  #begin(head) {
    if (head.format !== FORMAT) throw new Error(`the format is ${head.format}, not ${FORMAT}`)
    this.#head = head
    const vault = `${head.vault}`.toLowerCase()
    const last = this.#vaults.at(-1)
    if (last === undefined) this.#vaults = [vault]
    else if (last !== vault) throw new Error(`the ledger is at the vault ${vault}, and the last one given is ${last}`)
    this.#ledger.operator = head.operator
    const { seq, hash, carried } = head.after ?? { seq: '0', hash: NO_HASH }
    if (carried !== undefined && this.#ledger.seq === 0) {
      const after = { seq: Number(seq), hash }
      this.#taken = { ...after, balances: new Map() }
      this.#ledger = new Ledger(head.operator, after, new Map())
      this.#hashes.set(seq, hash)
    } else this.#carried.expected = [...this.#ledger.balances.values()].filter((units) => units !== 0n).length
    this.begin(Number(seq), hash)
  }

  /** A balance after the last archived entry. @param {[account: string, asset: string, units: string]} carried */
  #carry([account, asset, text]) {
    const key = `${account} ${asset}`
    const units = BigInt(text)
    this.#carried.rows += 1
    if (this.#carried.rows > (this.#head?.after?.carried ?? 0))
      throw new Error('the file carries more balances than it names')
    if (units !== 0n) this.#carried.held += 1
    if (units < 0n && account !== 'vault') throw new Error(`${key} is carried below zero`)
    if (this.#taken.seq > 0) {
      this.#taken.balances.set(key, units)
      this.#ledger.balances.set(key, units)
    } else if ((this.#ledger.balances.get(key) ?? 0n) !== units)
      throw new Error(`${key} is carried with ${units}, and the archives leave ${this.#ledger.balances.get(key) ?? 0n}`)
  }

  /** All carried balances are there: they come before all else. */
  #endCarried() {
    const { rows, held, expected } = this.#carried
    const { carried } = this.#head?.after ?? {}
    if (rows !== (carried ?? 0)) throw new Error(`the file has ${rows} carried balances, and names ${carried ?? 0}`)
    if (carried !== undefined && expected !== undefined && held !== expected)
      throw new Error(`the file carries ${held} balances, and the archives leave ${expected}`)
    /** @type {Map<string, bigint>} */
    const sums = new Map()
    for (const [key, units] of this.#taken.balances) {
      const [, asset = ''] = key.split(' ')
      sums.set(asset, (sums.get(asset) ?? 0n) + units)
    }
    for (const [asset, sum] of sums)
      if (sum !== 0n) throw new Error(`the carried balances of ${asset} do not sum to zero`)
  }

  /** The next file begins after this entry. @param {number} seq @param {string} hash */
  begin(seq, hash) {
    if (seq !== this.#ledger.seq)
      throw new Error(`the file begins after entry ${seq}, and the files before it end with entry ${this.#ledger.seq}`)
    if (hash !== this.#ledger.hash)
      throw new Error(`the file follows another entry ${seq} than the files before it have`)
  }

  /** @param {Entry} entry @returns {Promise<string>} the hash of the entry */
  async add(entry) {
    await this.#ledger.add(entry)
    this.#hashes.set(entry[0], this.#ledger.hash)
    this.#entries.push(entry)
    return this.#ledger.hash
  }

  /** @param {Entry} entry @param {string} hash */
  async #entry(entry, hash) {
    if ((await this.add(entry)) !== hash) throw new Error(`the hash chain breaks at entry ${entry[0]}`)
  }

  /** @param {HeaderLine} line */
  #header(line) {
    const { header, hash, signature } = line
    const name = `header ${header.number}`
    // A header is signed before the next one is made.
    if (this.#unsigned) throw new Error(`${this.#unsigned} has no signature`)
    if (header.previous !== this.#previous || BigInt(header.number) <= this.#number)
      throw new Error(`${name} does not follow the one before`)
    this.#previous = hash
    this.#number = BigInt(header.number)
    // The fields of an old header are no longer stored: its hash is in the next one.
    if (header.assets === undefined) return
    this.#moveTo(this.#vaultOf(header, hash), name)
    const isKnown = Number(header.ledgerSeq) >= this.#taken.seq
    if (isKnown && this.#hashes.get(header.ledgerSeq) !== header.entryHash)
      throw new Error(`${name} names another entry`)
    this.#checkBookkeeper(line, name)
    if (signature === null && !line.refusal) this.#unsigned = name
    const signer = signature === null ? undefined : recoverSigner(hash, signature)
    if (signature !== null && (!signer || (this.#rootKey && signer !== this.#rootKey)))
      throw new Error(`${name} has the signature of another key`)
    this.#headers.push({ header, hash, vault: this.#at })
  }

  /** Finds the vault that a hash is for: its address is part of it. @param {Header} header @param {string} hash @returns its index, -1 for none */
  #vaultOf(header, hash) {
    const { chainId } = /** @type {Head} */ (this.#head)
    const isOf = (/** @type {string | undefined} */ vault) =>
      vault !== undefined && hashHeader(/** @type {any} */ (header), { chainId, verifyingContract: vault }) === hash
    // Most headers are of the same vault as the one before.
    return isOf(this.#vaults[this.#at]) ? this.#at : this.#vaults.findIndex(isOf)
  }

  /** A ledger that has left a vault does not come back. @param {number} at @param {string} name */
  #moveTo(at, name) {
    if (at < 0) throw new Error(`${name} has another hash, or is of a vault that was not given`)
    if (at < this.#at) throw new Error(`${name} is of a vault that the ledger had left`)
    this.#at = at
  }

  /** Once a bookkeeper has signed, each header has the signature or the refusal of one. @param {HeaderLine} line @param {string} name */
  #checkBookkeeper({ header, hash, signature, bookkeeper, refusal }, name) {
    if (this.#bookkeepers.length === 0) return
    const isKnown = (/** @type {string | undefined} */ signer) => this.#bookkeepers.includes(signer ?? '')
    if (refusal) {
      const text = `Clearwell bookkeeper refuses header ${header.number} ${hash}: ${refusal.reason}`
      if (!isKnown(recoverSigner(hashMessage(text), refusal.signature)))
        throw new Error(`${name} has the refusal of another key`)
    } else if (bookkeeper) {
      if (!isKnown(recoverSigner(hash, bookkeeper))) throw new Error(`${name} has the signature of another bookkeeper`)
      this.#hasBookkeeper = true
    } else if (signature !== null && this.#hasBookkeeper) throw new Error(`${name} has no signature of the bookkeeper`)
  }

  /** Compares the totals of each header with the ledger, and the roots of the last. */
  async end() {
    if (!this.#ended || !this.#head) throw new Error('the end is missing')
    if (this.#bookkeepers.length > 0 && !this.#hasBookkeeper) throw new Error('the bookkeeper has signed no header')
    const { operator, tokens, depth } = this.#head
    const { seq: taken, balances } = this.#taken
    const ledger = taken > 0 ? new Ledger(operator, this.#taken, new Map(balances)) : new Ledger(operator)
    let next = 0
    for (const { header } of this.#headers) {
      // The entries of this header were not given.
      if (Number(header.ledgerSeq) < taken) continue
      for (; taken + next < Number(header.ledgerSeq); next++)
        await ledger.add(/** @type {Entry} */ (this.#entries[next]))
      for (const [asset, token] of Object.entries(tokens)) this.#compare(header, token, ledger.totalsOf(asset))
    }
    const { header: last, vault } = this.#headers.at(-1) ?? {}
    if (!last || Number(last.ledgerSeq) < taken + this.#entries.length) return
    // The counters in the file are those of the last vault: before its first header they belong to no leaf.
    if (vault !== this.#vaults.length - 1) return
    const roots = await readRoots({ accounts: this.#accounts, seen: this.#seen, tokens, depth }, ledger)
    for (const [asset, token] of Object.entries(tokens)) {
      const root = asset === 'RT' ? last.rtRoot : last.assets?.find((each) => each.token === token)?.root
      if (root !== roots[asset]) throw new Error(`header ${last.number} has another root of ${asset}`)
    }
  }

  /** @param {Header} header @param {string} token @param {Record<string, bigint>} totals */
  #compare(header, token, totals) {
    const figures = header.assets?.find((each) => each.token === token)
    if (!figures) {
      if (header.rtUsers !== `${totals.users}`) throw new Error(`header ${header.number} has another total of RT`)
      return
    }
    for (const [name, units] of Object.entries(totals))
      if (figures[name] !== `${units}`) throw new Error(`header ${header.number} has other ${name} of ${token}`)
  }
}

/** Hashes a text as EIP-191 signs it. @param {string} text */
function hashMessage(text) {
  const bytes = new TextEncoder().encode(text)
  const prefix = new TextEncoder().encode(`\x19Ethereum Signed Message:\n${bytes.length}`)
  return toHex(keccak256(Uint8Array.from([...prefix, ...bytes])))
}
