import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Posting } from '@clearwell/ledger/entry-hash'
import type { CoveredLines, RowLine } from '../../platform/ledger/row-lines.ts'

/** An entry of the store. */
export interface StoredEntry {
  readonly seq: bigint
  readonly kind: string
  readonly at: Date
  readonly reference: string
  readonly postings: readonly Posting[]
  /** Hex with 0x. */
  readonly hash: string
}

/** A header of the store with all that is known of it. */
export interface StoredHeader {
  readonly number: bigint
  readonly previous: string
  readonly hash: string
  readonly ledgerSeq: bigint
  /** Its fields as JSON; null if the server had deleted them before. */
  readonly fields: string | null
  readonly block: string
  readonly quarter: string
  readonly cursor: { readonly number: bigint; readonly hash: string; readonly time: Date } | undefined
  readonly dataHash: string | undefined
  /** The last line of rows that it covers, if it covers any. */
  readonly lines: CoveredLines | null
  root: string | null
  bookkeeper: string | null
  /** JSON of the refusal. */
  refusal: string | null
  /** The bookkeeper has found it right. */
  isRight: boolean
}

/** The store of a bookkeeper, as far as a restore needs it. */
export interface Store {
  readonly chainId: number
  /** In lower case. */
  readonly vault: string
  readonly accounts: ReadonlyMap<string, { readonly place: number; readonly salt: string }>
  /** Those after the database's last one. */
  readonly entries: readonly StoredEntry[]
  /** Lines of rows whose last entry is not before the database's last one. */
  readonly lines: readonly RowLine[]
  /** The hash of the entry that is the database's last one, if the store has it. */
  readonly hashAtTip: string | undefined
  readonly lastEntry: bigint
  /** By number, oldest first. */
  readonly headers: ReadonlyMap<bigint, StoredHeader>
  /** The last change of an account's place that the bookkeeper has. */
  readonly change: bigint
}

const PREFIX = 65

/**
 * Reads a bookkeeper's `ledger.jsonl`. A last line that was cut off is ignored.
 *
 * @param tip the database's last entry: earlier ones are not kept in memory.
 * @throws Error if a line was changed or is missing.
 */
export async function readStore(path: string, tip: bigint): Promise<Store> {
  const store = new StoreReader(tip)
  let hash = ''
  let number = 0
  let cut: string | undefined
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (cut !== undefined) throw new Error(`line ${number} of ${path} was changed`)
    number += 1
    const text = line.slice(PREFIX)
    const expected = createHash('sha256').update(`${hash}${text}`).digest('hex')
    // A crash can have cut off the last line, so only a line after it shows that this one was changed.
    if (line.slice(0, PREFIX) !== `${expected} `) cut = line
    else store.take(JSON.parse(text))
    hash = expected
  }
  return store.end(path)
}

// biome-ignore lint/suspicious/noExplicitAny: lines of JSON, whose hash chain was checked.
type Line = any

class StoreReader {
  readonly #tip: bigint
  #head: { chainId: number; vault: string } | undefined
  readonly #accounts = new Map<string, { place: number; salt: string }>()
  readonly #entries: StoredEntry[] = []
  readonly #lines: RowLine[] = []
  #hashAtTip: string | undefined
  #lastEntry = 0n
  readonly #headers = new Map<bigint, StoredHeader>()
  /** Headers that have no statement yet, oldest first. */
  readonly #unjudged: StoredHeader[] = []
  #change = 0n

  constructor(tip: bigint) {
    this.#tip = tip
  }

  take(line: Line): void {
    if (line.format) this.#head = { chainId: line.head.chainId, vault: line.head.vault.toLowerCase() }
    else if (line.account) this.#accounts.set(line.account[0], { place: line.account[1], salt: line.account[2] })
    else if (line.entry) this.#takeEntry(line)
    else if (line.rows) this.#takeRows(line)
    else if (line.header) this.#takeHeader(line)
    else if (line.signed) this.#sign(line)
    else if ('statement' in line) this.#judge(line.statement)
    else if (line.change) this.#change = BigInt(line.change)
  }

  end(path: string): Store {
    if (!this.#head) throw new Error(`${path} is no store of a bookkeeper`)
    return {
      ...this.#head,
      ...{
        accounts: this.#accounts,
        entries: this.#entries,
        lines: this.#lines,
        headers: this.#headers,
        change: this.#change,
      },
      ...{ hashAtTip: this.#hashAtTip, lastEntry: this.#lastEntry },
    }
  }

  #takeEntry({ entry: [text, kind, at, reference, postings], hash }: Line): void {
    const seq = BigInt(text)
    this.#lastEntry = seq
    if (seq === this.#tip) this.#hashAtTip = hash
    if (seq <= this.#tip) return
    const moved = postings.map(([account, asset, units]: string[]) => ({
      account,
      asset,
      units: BigInt(units as string),
    }))
    this.#entries.push({ seq, kind, at: new Date(at), reference, postings: moved, hash })
  }

  #takeRows({ rows: [number, from, to, rows], previous, hash }: Line): void {
    const line = { number: BigInt(number), from_seq: BigInt(from), to_seq: BigInt(to), rows, previous, hash }
    if (line.to_seq >= this.#tip) this.#lines.push(line)
  }

  #takeHeader({ header, seq, hash, signature, bookkeeper = null, refusal, block, quarter, lines = null }: Line): void {
    const hasFields = header.assets !== undefined
    const made: StoredHeader = {
      ...{ number: BigInt(header.number), previous: header.previous, hash, ledgerSeq: BigInt(seq), block, quarter },
      fields: hasFields ? JSON.stringify(header) : null,
      cursor: hasFields
        ? {
            number: BigInt(header.cursorBlock),
            hash: header.cursorHash,
            time: new Date(1_000 * header.cursorTime),
          }
        : undefined,
      dataHash: header.dataHash,
      lines,
      ...{ root: signature, bookkeeper, refusal: refusal ? JSON.stringify(refusal) : null, isRight: false },
    }
    this.#headers.set(made.number, made)
    this.#unjudged.push(made)
  }

  #sign({ signed, root, bookkeeper }: Line): void {
    const header = this.#headers.get(BigInt(signed))
    if (header) Object.assign(header, { root, bookkeeper })
  }

  /** Each header gets one statement, in their order. null: it was settled before, and is right. */
  #judge(statement: Line): void {
    const header = this.#unjudged.shift()
    if (!header) return
    header.isRight = !statement?.refusal
    // A header that both keys have signed has no refusal, also if one bookkeeper finds a fault later.
    if (statement?.refusal && header.root === null) header.refusal ??= JSON.stringify(statement.refusal)
  }
}
