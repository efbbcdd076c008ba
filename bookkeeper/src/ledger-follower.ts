import { Books, NO_HASH } from './books.ts'
import {
  type Followed,
  faultOfChain,
  faultOfCursor,
  faultOfEntry,
  faultOfFigures,
  faultOfHash,
  faultOfRt,
} from './header-checks.ts'
import { HeaderTrees } from './header-trees.ts'
import { type LeafKey, LeafLog } from './leaf-log.ts'
import {
  type EntryFields,
  Fault,
  type HeaderFields,
  type HeaderLine,
  type LedgerHead,
  type LedgerLine,
  type RowsLine,
  type SignedLine,
} from './ledger-lines.ts'
import { type ExitAct, OpenExits } from './open-exits.ts'
import { Payments, type VaultEvent } from './payments.ts'
import { blockKey, chainBlock, openBlock } from './proof-records.ts'
import { RowChain } from './row-chain.ts'
import { hashLeaf, type TreeLeaf, type TreeNode, UsersTree } from './users-tree.ts'

/** The facts that a header is judged by, beside the ledger. */
export interface Evidence {
  /** The vault's events after the cursor of the header before, up to this one's. */
  readonly events: readonly VaultEvent[]
  /** The acts about exits and roots in the same blocks. */
  readonly acts: readonly ExitAct[]
  /** The cursor's block as the own node has it; absent for a header whose fields are gone. */
  readonly block?: { readonly hash: string; readonly timeS: number }
  /** The time of the check; absent for a header that was signed before. */
  readonly nowMs?: number
}

export interface Account {
  readonly place: number
  readonly salt: string
}

const RT = 'RT'
const ID = /^0x[0-9a-f]{40}$/
const SALT = /^0x[0-9a-f]{64}$/

/** Follows the ledger from header to header, and checks each. It has no clock, no network and no disk. */
export class LedgerFollower {
  readonly #head: LedgerHead
  readonly #replaced: readonly string[]
  readonly #dataSecret: Uint8Array
  readonly #assets: readonly string[]
  readonly #books: Books
  readonly #payments: Payments
  readonly #trees: ReadonlyMap<string, UsersTree>
  readonly #leafLog = new LeafLog()
  readonly #rows = new RowChain()
  readonly #exits = new OpenExits()
  readonly #headerTrees: HeaderTrees
  readonly #accounts = new Map<string, Account>()
  readonly #places = new Map<number, string>()
  /** Accounts that have leaves. */
  readonly #leaved = new Set<string>()
  /** Entries that no header contains yet, and headers that are not judged yet. */
  #entries: { readonly entry: EntryFields; readonly hash: string }[] = []
  readonly #headers: HeaderLine[] = []
  #before: Followed = {
    ...{ number: 0n, ledgerSeq: 0n, cursorBlock: 0n, cursorTime: 0 },
    hash: NO_HASH,
    dataHash: NO_HASH,
  }
  #received = { entry: 0n, header: 0n }
  #changedLeaves = 0
  /** The first fault of an entry or an account: no header after it can be right. */
  #broken: string | undefined

  /** @param replaced the vaults that the ledger has left, in lower case. */
  constructor(head: LedgerHead, dataSecret: Uint8Array, replaced: readonly string[] = []) {
    this.#head = head
    this.#replaced = replaced
    this.#dataSecret = dataSecret
    this.#assets = Object.keys(head.tokens)
    this.#books = new Books(head.operator)
    this.#payments = new Payments(head.operator)
    this.#trees = new Map(this.#assets.map((asset) => [asset, new UsersTree(head.depth)]))
    this.#headerTrees = new HeaderTrees(this.#trees)
  }

  /** The last entry, the last header and the last line of rows that were taken. */
  get received(): { readonly entry: bigint; readonly header: bigint; readonly line: bigint } {
    return { ...this.#received, line: this.#rows.last }
  }

  /** The header that was judged last. */
  get before(): Followed {
    return this.#before
  }

  /** The users tree of each asset, as the header that was judged last has it. */
  get trees(): ReadonlyMap<string, UsersTree> {
    return this.#trees
  }

  /** Leaves that the header which was judged last has changed. */
  get changedLeaves(): number {
    return this.#changedLeaves
  }

  /** Returns the place and the salt of an account, in lower case. */
  accountOf(id: string): Account | undefined {
    return this.#accounts.get(id)
  }

  /** Takes the next line of the ledger. */
  take(line: Exclude<LedgerLine, SignedLine>): void {
    if ('account' in line) this.#place(...line.account)
    else if ('entry' in line) {
      this.#entries.push(line)
      this.#received = { ...this.#received, entry: BigInt(line.entry[0]) }
    } else if ('rows' in line) this.#takeRows(line)
    else {
      this.#headers.push(line)
      this.#received = { ...this.#received, header: BigInt(line.header.number) }
    }
  }

  /** Returns the next header, once all of its entries are there. */
  next(): HeaderLine | undefined {
    const [line] = this.#headers
    return line && BigInt(line.seq) <= this.#received.entry ? line : undefined
  }

  /**
   * Judges the next header, and moves on whether it is right or not: the ledger continues after it.
   *
   * @returns the fault, or `undefined` if everything that is checked is right.
   */
  judge({ events, acts, block, nowMs }: Evidence): string | undefined {
    const line = this.#headers.shift()
    if (!line) throw new Error('there is no header to judge')
    this.#takeActs(acts, line.header, block?.hash)
    this.#apply(BigInt(line.seq), events)
    const changed = this.#growTrees()
    this.#changedLeaves = changed.size
    const dataHash = chainBlock(this.#before.dataHash, Buffer.from(line.block, 'base64'))
    const dataFault = this.#logRecords(line, changed)
    const { header } = line
    if (header.assets === undefined || this.isOfReplaced(line)) {
      const fault = this.#faultOfOld(line)
      this.#follow(line, dataHash)
      return fault
    }
    const fault = faultIn(
      () => this.#broken,
      () => faultOfChain(header, this.#before),
      () => faultOfHash(header, line.hash, this.#head),
      () => (line.seq === header.ledgerSeq ? undefined : 'the header has another last entry'),
      () => faultOfEntry(header, this.#books),
      () => (block ? faultOfCursor(header, block, nowMs) : 'the block of the header is unknown'),
      () => this.#payments.findFault(),
      () => this.#faultOfTrees(header),
      () => this.#faultOfClaims(header),
      () => (header.dataHash === dataHash ? undefined : 'the hash of the proof data is another'),
      () => dataFault,
      () => this.#rows.faultOf(line),
    )
    if (fault === undefined) this.#headerTrees.add(header, line.hash, changed.size)
    this.#follow(line, dataHash, fault === undefined ? header : undefined)
    return fault
  }

  /** Returns true for a header of a vault that the ledger has left: its leaves have the counters of that vault. */
  isOfReplaced({ header, hash }: HeaderLine): boolean {
    if (header.assets === undefined) return false
    const { chainId } = this.#head
    return this.#replaced.some((vault) => faultOfHash(header, hash, { chainId, vault }) === undefined)
  }

  /** Judges a header that is kept for the chain of headers alone. One that has no signature must not get one any more. */
  #faultOfOld({ header, signature, refusal }: HeaderLine): string | undefined {
    if (header.previous !== this.#before.hash) return 'an old header does not follow the one before'
    if (signature === null && refusal === undefined && header.assets !== undefined)
      return 'the header is of a vault that the ledger has left'
    return this.#broken
  }

  /** @param right the header's fields, if they were found to be right. */
  #follow({ header, seq, hash }: HeaderLine, dataHash: string, right?: HeaderFields): void {
    const { cursorBlock, cursorTime } = this.#before
    const cursor = right
      ? { cursorBlock: BigInt(right.cursorBlock), cursorTime: right.cursorTime }
      : { cursorBlock, cursorTime }
    this.#before = { number: BigInt(header.number), hash, ledgerSeq: BigInt(seq), dataHash, ...cursor }
  }

  #takeRows(line: RowsLine): void {
    try {
      this.#rows.take(line)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      this.#broken ??= error.message
    }
  }

  #place(id: string, place: number, salt: string): void {
    const isPlace = Number.isInteger(place) && place >= 0 && place < 2 ** this.#head.depth
    if (!isPlace || !ID.test(id) || !SALT.test(salt)) {
      this.#broken ??= `the account ${id} has no valid place and salt`
      return
    }
    const known = this.#accounts.get(id)
    if (known) {
      if (known.place !== place || known.salt !== salt) this.#broken ??= `the account ${id} has a second place or salt`
      return
    }
    if (this.#places.has(place)) this.#broken ??= `the place ${place} has a second account`
    this.#places.set(place, id)
    this.#accounts.set(id, { place, salt })
  }

  #takeActs(acts: readonly ExitAct[], header: HeaderLine['header'], blockHash: string | undefined): void {
    for (const act of acts) if (act.kind === 'posted') this.#headerTrees.notePost(act.number)
    this.#exits.take(acts, {
      isKnown: header.assets !== undefined && blockHash === header.cursorHash,
      cursorTime: header.assets === undefined ? this.#before.cursorTime : header.cursorTime,
      hasLeaf: (account) => this.#leaved.has(account),
      baseOf: (post, id) => this.#headerTrees.find(post, this.#accounts.get(id)?.place),
    })
  }

  #apply(upTo: bigint, events: readonly VaultEvent[]): void {
    for (const event of events) this.#payments.addEvent(event)
    const count = this.#entries.findIndex(({ entry: [seq] }) => BigInt(seq) > upTo)
    const due = count === -1 ? this.#entries : this.#entries.slice(0, count)
    this.#entries = count === -1 ? [] : this.#entries.slice(count)
    if (this.#broken !== undefined) return
    try {
      for (const { entry, hash } of due) {
        this.#books.add(entry, hash)
        this.#payments.addEntry(entry)
        const fault = this.#exits.faultOfEntry(entry)
        if (fault !== undefined) throw new Fault(fault)
      }
    } catch (error) {
      this.#broken = error instanceof Fault ? error.message : `an entry after ${this.#books.seq} is malformed`
    }
  }

  /** Sets the leaves that entries and events have touched. Returns those that differ from before. */
  #growTrees(): Set<LeafKey> {
    const changed = new Set<LeafKey>()
    const leaves = new Map(this.#assets.map((asset) => [asset, new Map<number, TreeNode>()]))
    for (const [owner, asset] of this.#takeTouched()) {
      const account = this.#accounts.get(owner)
      if (!account) {
        this.#broken ??= `the account ${owner} has money and no place`
        continue
      }
      const leaf = this.#leafOf(owner, account, asset)
      const before = this.#trees.get(asset)?.leaf(account.place)
      leaves.get(asset)?.set(account.place, leaf)
      if (!before?.hash.equals(leaf.hash)) changed.add(`${this.#assets.indexOf(asset)} ${account.place}`)
    }
    for (const [asset, of] of leaves) this.#trees.get(asset)?.set(of)
    return changed
  }

  /** An account that is new has a leaf in each tree. */
  #takeTouched(): (readonly [owner: string, asset: string])[] {
    const touched = [...this.#books.takeTouched(), ...this.#payments.takeTouched()]
    return touched
      .filter(([owner]) => owner !== this.#head.operator)
      .flatMap(([owner, asset]): (readonly [owner: string, asset: string])[] => {
        if (this.#leaved.has(owner)) return [[owner, asset]]
        this.#leaved.add(owner)
        return this.#assets.map((each) => [owner, each] as const)
      })
  }

  #leafOf(account: string, { salt }: Account, asset: string): TreeLeaf {
    const free = this.#books.free(account, asset)
    const { deposited: depositedSeen, paid, exited } = this.#payments.countersOf(account, asset)
    // The vault counts vouchers and exits of an account together.
    const paidSeen = paid + exited
    const token = this.#head.tokens[asset] as string
    return {
      hash: hashLeaf({ salt, account, token, free, depositedSeen, paidSeen }),
      sum: free,
      depositedSeen,
      paidSeen,
    }
  }

  #faultOfTrees(header: HeaderFields): string | undefined {
    const rootOf = (asset: string) => this.#trees.get(asset)?.root(this.#head.tokens[asset] as string) as string
    const figures = this.#assets
      .filter((asset) => asset !== RT)
      .map((asset) => ({
        asset,
        root: rootOf(asset),
        totals: this.#books.totalsOf(asset),
        counters: this.#payments.countersOf(undefined, asset),
        payoutPaid: this.#payments.countersOf(this.#head.operator, asset).paid,
      }))
    return (
      faultOfFigures(header, figures, this.#head) ??
      faultOfRt(header, { root: rootOf(RT), users: this.#books.totalsOf(RT).users }, this.#head)
    )
  }

  /** Finds an account that leaves with more than the ledger has for it. */
  #faultOfClaims({ cursorTime }: HeaderFields): string | undefined {
    const claims = this.#exits.claims(cursorTime, (account, asset) => {
      const { deposited, paid, exited } = this.#payments.countersOf(account, asset)
      return { deposited, paid: paid + exited }
    })
    for (const { account, asset, units } of claims) {
      const free = this.#books.free(account, asset)
      if (units > free) return `${account} leaves with ${units} base units of ${asset}, and the ledger has ${free}`
    }
    return undefined
  }

  /** Compares the records of a header with the own leaves, also those of a header that is refused for another reason. */
  #logRecords({ header, block, quarter }: HeaderLine, changed: ReadonlySet<LeafKey>): string | undefined {
    const leafAt = (key: LeafKey) => {
      const [asset = 0, place = 0] = key.split(' ').map(Number)
      return this.#trees.get(this.#assets[asset] ?? '')?.leaf(place) ?? { hash: Buffer.alloc(0), sum: 0n }
    }
    try {
      const { number, records } = openBlock(blockKey(this.#dataSecret, quarter), Buffer.from(block, 'base64'))
      const fault = this.#leafLog.add(records, changed, leafAt)
      return `${number}` === header.number ? fault : 'the proof data are of another header'
    } catch {
      return this.#leafLog.add([], changed, leafAt) ?? 'the proof data cannot be decrypted'
    }
  }
}

/** Returns the first fault. A check that cannot read the header finds one too: the ledger moves on in either case. */
function faultIn(...checks: readonly (() => string | undefined)[]): string | undefined {
  try {
    for (const check of checks) {
      const fault = check()
      if (fault !== undefined) return fault
    }
    return undefined
  } catch (error) {
    return `the header is malformed: ${error instanceof Error ? error.message : error}`
  }
}
