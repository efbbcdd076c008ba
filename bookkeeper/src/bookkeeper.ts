import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type PrivateKeyAccount, recoverAddress } from 'viem'
import { openHashedLog } from './hashed-log.ts'
import type { Evidence } from './ledger-follower.ts'
import { LedgerFollower } from './ledger-follower.ts'
import type { HeaderLine, LedgerHead, LedgerLine } from './ledger-lines.ts'
import type { ExitAct } from './open-exits.ts'
import { type OwnPaths, ownPaths } from './own-paths.ts'
import { PathHeaders, type Post, type Signatures } from './path-headers.ts'
import type { VaultEvent } from './payments.ts'
import { type Statement, signAgain, signStatement } from './statements.ts'

/** The own node of the chain. */
export interface VaultNode {
  /** Returns the number of the newest block. */
  head(): Promise<bigint>
  /** Returns a block; `undefined` if the node does not have it. */
  block(number: bigint): Promise<{ readonly hash: string; readonly timeS: number } | undefined>
  /** Reads the vault's events in blocks `from` to `to`, both included, in the order of the chain. */
  events(range: { readonly from: bigint; readonly to: bigint }): Promise<readonly VaultEvent[]>
  /** Reads the acts about exits and roots in these blocks, in the order of the chain. A vault without exits has none. */
  acts(range: { readonly from: bigint; readonly to: bigint }): Promise<readonly ExitAct[]>
  /** Reads the headers that were posted in these blocks. A vault without exits has none. */
  posts(range: { readonly from: bigint; readonly to: bigint }): Promise<readonly Post[]>
}

/** The part of the ledger that a server has sent. */
export interface Batch {
  readonly head: LedgerHead
  readonly lines: readonly LedgerLine[]
  /** Where the next batch continues with new accounts. */
  readonly change: string
}

/** The last of everything that is stored. */
export interface StoredCursor {
  readonly entry: bigint
  readonly header: bigint
  readonly change: string
  /** The last header whose signatures are stored. */
  readonly signed: bigint
  /** The last line of rows. */
  readonly line: bigint
}

export interface Bookkeeper {
  readonly stored: StoredCursor
  /** Stores a batch on the disk. @throws Error if it does not continue what is stored */
  take(batch: Batch): Promise<void>
  /**
   * Judges the headers whose entries are stored, one after another.
   *
   * @returns the reason why the next one has to wait; `undefined` if there is none.
   */
  advance(): Promise<string | undefined>
  /** Reads the headers that were posted since the last call, as far as their blocks are final. The server is not needed. */
  readPosts(): Promise<void>
  /** Returns an account's leaves and paths in a header that paths may be given out for: the newest one, or the one with this number. */
  paths(account: string, number?: string): OwnPaths | undefined
  /** Returns true if the ledger has the account, in lower case. */
  knows(account: string): boolean
  /** Returns what was said about a header, if it is one of the last 100,000. */
  statementOf(number: string): Statement | undefined
  /** All refusals, oldest first, at most 1,000: the newest. */
  readonly refusals: readonly Statement[]
  /** The header that was judged last. */
  readonly last: bigint
  close(): Promise<void>
}

export interface BookkeeperOptions {
  /** The folder of its store. */
  readonly folder: string
  readonly key: Pick<PrivateKeyAccount, 'address' | 'sign' | 'signMessage'>
  /** The secret of the proof data, 32 bytes. */
  readonly dataSecret: Uint8Array
  /** The vault and the chain that this bookkeeper is for. */
  readonly expected: Pick<LedgerHead, 'chainId' | 'vault'>
  /** The vaults that the ledger has left, in lower case. */
  readonly replaced?: readonly string[]
  /** The block in which the first of these vaults was deployed. */
  readonly startBlock: bigint
  /** Opens the own node for the vault and the tokens of the ledger. */
  readonly openNode: (head: LedgerHead) => VaultNode
  readonly nowMs: () => number
}

/** The kinds of lines in the store, beside those of the ledger. */
type StoredLine =
  | LedgerLine
  | { readonly format: string; readonly head: LedgerHead }
  | { readonly change: string }
  | { readonly events: readonly VaultEvent[]; readonly to: string }
  | { readonly acts: readonly ExitAct[]; readonly to: string }
  | { readonly posts: readonly Post[]; readonly to: string }
  | { readonly statement: Statement | null; readonly evidence: OwnEvidence }
  /** The last statement by the key that replaced the one before. */
  | { readonly again: Statement }

/** The facts of a header that are stored with its statement. The others are stored before. */
type OwnEvidence = Omit<Evidence, 'events' | 'acts'>

const FORMAT = 'clearwell bookkeeper 1'
const STORE = 'ledger.jsonl'
const MAX_STATEMENTS = 100_000
const MAX_REFUSALS = 1_000
/** Blocks that one request to the node covers. */
const MAX_RANGE = 2_000n
/** A block under so many others is final: another one at its number is a fault, and no fork. */
const FINAL_DEPTH = 15n
/** Requests for posted headers that one call makes. */
const MAX_POST_RANGES = 20

/** Opens the store, and continues where it ends. @throws Error if a line of it was changed */
export async function openBookkeeper(options: BookkeeperOptions): Promise<Bookkeeper> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 })
  const state = new StoredState(options)
  const log = await openHashedLog(join(options.folder, STORE), async (value) => state.replay(value as StoredLine))

  // A key whose store is lost may have signed anything.
  const wasEmpty = state.follower === undefined
  const again = await signAgain(state.lastStatement, options.key)
  if (again) {
    await log.append([{ again } satisfies StoredLine])
    state.note(again)
  }

  async function keep(lines: readonly StoredLine[]): Promise<void> {
    await log.append(lines)
    for (const line of lines) state.replay(line)
  }

  return {
    get stored() {
      return state.cursor
    },
    async take({ head, lines, change }) {
      const isNew = state.follower === undefined
      if (isNew) requireExpected(head, options.expected)
      else if (JSON.stringify(head) !== JSON.stringify(state.head)) throw new Error('the server has another ledger')
      requireContinued(lines, state.cursor)
      if (wasEmpty) await requireNewKey(lines, options.key.address, state.statements)
      const more = change === state.cursor.change ? [] : [{ change }]
      await keep([...(isNew ? [{ format: FORMAT, head }] : []), ...lines, ...more])
    },
    async advance() {
      for (let line = state.follower?.next(); line; line = state.follower?.next()) {
        const found = await gather(state, options, line, keep)
        if (typeof found === 'string') return found
        // Judging moves on, so it happens once: here, and at the next start from the stored line.
        const fault = state.judge(found)
        const isSettled = line.signature !== null || line.refusal !== undefined
        const statement =
          isSettled && fault === undefined ? null : await signStatement(options.key, nameOf(line), fault)
        await log.append([{ statement, evidence: found } satisfies StoredLine])
        state.note(statement)
      }
      return undefined
    },
    readPosts: () => readPosts(state, options, keep),
    paths: (account, number) =>
      state.follower ? ownPaths(state.follower, state.paths, { account, number }) : undefined,
    knows: (account) => state.follower?.accountOf(account) !== undefined,
    statementOf: (number) => state.statements.get(number),
    get refusals() {
      return state.refusals
    },
    get last() {
      return state.follower?.before.number ?? 0n
    },
    close: log.close,
  }
}

const nameOf = ({ header: { number }, hash }: HeaderLine) => ({ number, hash })

/** Collects what the own node says about a header's block, and stores the events up to it. Returns the reason to wait. */
async function gather(
  state: StoredState,
  { openNode, startBlock, nowMs }: Pick<BookkeeperOptions, 'openNode' | 'startBlock' | 'nowMs'>,
  line: HeaderLine,
  keep: (lines: readonly StoredLine[]) => Promise<void>,
): Promise<OwnEvidence | string> {
  const { header } = line
  if (header.assets === undefined || !state.head) return {}
  state.node ??= openNode(state.head)
  const { node } = state
  const cursor = BigInt(header.cursorBlock)
  const head = await node.head()
  if (head < cursor) return `the node is at block ${head}, and header ${header.number} needs ${cursor}`
  const block = await node.block(cursor)
  if (!block) return `the node does not have block ${cursor}`
  const isSame = block.hash === header.cursorHash
  if (!isSame && head < cursor + FINAL_DEPTH) return `the node has another block ${cursor}`
  // Acts without events were stored by a version that did not read them: they are read from the first block.
  for (const what of ['acts', 'events'] as const) {
    const readTo = what === 'acts' ? state.actsTo : state.readTo
    for (let from = readTo === undefined ? startBlock : readTo + 1n; isSame && from <= cursor; ) {
      const to = from + MAX_RANGE - 1n < cursor ? from + MAX_RANGE - 1n : cursor
      const range = { from, to }
      const line = what === 'acts' ? { acts: await node.acts(range) } : { events: await node.events(range) }
      // The same block before and after: the events are those of its fork.
      if ((await node.block(cursor))?.hash !== block.hash) return `the node has changed block ${cursor}`
      const isShort = 'acts' in line && line.acts.length === 0 && to - from + 1n < MAX_RANGE
      if (!isShort) await keep([{ ...line, to: `${to}` }])
      from = to + 1n
    }
  }
  const isSettled = line.signature !== null || line.refusal !== undefined
  return { block, ...(isSettled ? {} : { nowMs: nowMs() }) }
}

/** Stores the posts of the blocks that are final now. A range without posts is stored once it is as long as a request covers. */
async function readPosts(
  state: StoredState,
  { openNode, startBlock }: Pick<BookkeeperOptions, 'openNode' | 'startBlock'>,
  keep: (lines: readonly StoredLine[]) => Promise<void>,
): Promise<void> {
  if (!state.head) return
  state.node ??= openNode(state.head)
  const { node } = state
  const final = (await node.head()) - FINAL_DEPTH
  for (let ranges = 0; ranges < MAX_POST_RANGES; ranges++) {
    const from = (state.postsTo ?? startBlock - 1n) + 1n
    const to = from + MAX_RANGE - 1n < final ? from + MAX_RANGE - 1n : final
    if (to < from) return
    const posts = await node.posts({ from, to })
    if (posts.length === 0 && to - from + 1n < MAX_RANGE) return
    await keep([{ posts, to: `${to}` }])
  }
}

/** Everything that the store contains. It changes only by the lines of the store, so a restart ends in the same state. */
class StoredState {
  readonly #options: Pick<BookkeeperOptions, 'dataSecret' | 'expected' | 'replaced'>
  head: LedgerHead | undefined
  /** Opened when the first header needs it. */
  node: VaultNode | undefined
  follower: LedgerFollower | undefined
  readonly statements = new Map<string, Statement>()
  readonly refusals: Statement[] = []
  /** The last block whose events are stored. */
  readTo: bigint | undefined
  /** The last block whose acts are stored. */
  actsTo: bigint | undefined
  /** The last block whose posts are stored. */
  postsTo: bigint | undefined
  readonly paths = new PathHeaders()
  #events: VaultEvent[] = []
  #acts: ExitAct[] = []
  #change = '0'
  #signed = 0n

  constructor(options: Pick<BookkeeperOptions, 'dataSecret' | 'expected' | 'replaced'>) {
    this.#options = options
  }

  /** The newest statement. */
  get lastStatement(): Statement | undefined {
    return [...this.statements.values()].at(-1)
  }

  get cursor(): StoredCursor {
    return {
      ...(this.follower?.received ?? { entry: 0n, header: 0n, line: 0n }),
      change: this.#change,
      signed: this.#signed,
    }
  }

  replay(line: StoredLine): void {
    if ('format' in line) this.#begin(line.head)
    else if ('change' in line) this.#change = line.change
    else if ('acts' in line) {
      this.#acts.push(...line.acts)
      this.actsTo = BigInt(line.to)
    } else if ('posts' in line) {
      for (const post of line.posts) this.paths.post(post)
      this.postsTo = BigInt(line.to)
    } else if ('signed' in line) this.#sign(line.signed, line)
    else if ('events' in line) {
      this.#events.push(...line.events)
      this.readTo = BigInt(line.to)
    } else if ('statement' in line) {
      this.judge(line.evidence)
      this.note(line.statement)
    } else if ('again' in line) this.note(line.again)
    else {
      if ('header' in line && line.signature !== null)
        this.#sign(line.header.number, { root: line.signature, bookkeeper: line.bookkeeper ?? null })
      this.#following().take(line)
    }
  }

  #sign(number: string, { root, bookkeeper }: Signatures): void {
    this.#signed = BigInt(number)
    this.paths.sign(number, { root, bookkeeper })
  }

  judge(evidence: OwnEvidence): string | undefined {
    const [events, acts] = [this.#events, this.#acts]
    this.#events = []
    this.#acts = []
    const follower = this.#following()
    const line = follower.next()
    const fault = follower.judge({ ...evidence, events, acts })
    if (fault === undefined && line?.header.assets !== undefined && !follower.isOfReplaced(line)) {
      const tops = new Map([...follower.trees].map(([asset, tree]) => [asset, tree.top]))
      this.paths.add({ header: line.header, hash: line.hash, tops, changed: follower.changedLeaves })
    }
    return fault
  }

  note(statement: Statement | null): void {
    if (!statement) return
    this.statements.set(statement.number, statement)
    const [oldest] = this.statements.keys()
    if (this.statements.size > MAX_STATEMENTS && oldest !== undefined) this.statements.delete(oldest)
    if (!statement.refusal) return
    // The same refusal by another key takes the place of the first.
    if (this.refusals.at(-1)?.number === statement.number) this.refusals.pop()
    this.refusals.push(statement)
    if (this.refusals.length > MAX_REFUSALS) this.refusals.shift()
  }

  #begin(head: LedgerHead): void {
    requireExpected(head, this.#options.expected)
    this.head = head
    this.follower = new LedgerFollower(head, this.#options.dataSecret, this.#options.replaced)
  }

  #following(): LedgerFollower {
    if (!this.follower) throw new Error('the store does not begin with its head')
    return this.follower
  }
}

function requireExpected(head: LedgerHead, { chainId, vault }: Pick<LedgerHead, 'chainId' | 'vault'>): void {
  if (head.chainId === chainId && head.vault.toLowerCase() === vault.toLowerCase()) return
  throw new Error(`the ledger is of vault ${head.vault} on chain ${head.chainId}, not ${vault} on ${chainId}`)
}

/** @throws Error if the own key has signed a header that the store does not have */
async function requireNewKey(
  lines: readonly LedgerLine[],
  address: string,
  said: ReadonlyMap<string, Statement>,
): Promise<void> {
  for (const line of lines) {
    if (!('header' in line) || !line.bookkeeper || said.has(line.header.number)) continue
    const signature = line.bookkeeper as `0x${string}`
    const signer = await recoverAddress({ hash: line.hash as `0x${string}`, signature }).catch(() => undefined)
    if (signer === address)
      throw new Error(
        `this key has signed header ${line.header.number}, and the store is empty: put the folder of before back, or take a new key`,
      )
  }
}

/** @throws Error if an entry or a header is not the next one: a server that is asked for what follows sends nothing else. */
function requireContinued(lines: readonly LedgerLine[], { entry, header, signed, line: row }: StoredCursor): void {
  let last = { entry, header, signed, row }
  for (const line of lines) {
    if ('entry' in line) {
      const seq = BigInt(line.entry[0])
      if (seq !== last.entry + 1n) throw new Error(`the server has sent entry ${seq} after ${last.entry}`)
      last = { ...last, entry: seq }
    } else if ('rows' in line) {
      const number = BigInt(line.rows[0])
      if (number <= last.row) throw new Error(`the server has sent line ${number} of rows after ${last.row}`)
      last = { ...last, row: number }
    } else if ('header' in line) {
      const number = BigInt(line.header.number)
      if (number <= last.header) throw new Error(`the server has sent header ${number} after ${last.header}`)
      last = { ...last, header: number, signed: line.signature === null ? last.signed : number }
    } else if ('signed' in line) {
      const number = BigInt(line.signed)
      if (number <= last.signed || number > header) throw new Error(`the server has sent the signatures of ${number}`)
      last = { ...last, signed: number }
    }
  }
}
