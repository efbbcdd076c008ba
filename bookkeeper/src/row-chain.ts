import { type CoveredLines, Fault, type HeaderLine, type RowsLine } from './ledger-lines.ts'
import { sha256 } from './users-tree.ts'

/** A line as far as a header names it. */
interface Named {
  readonly number: bigint
  readonly hash: string
}

/**
 * Follows the chain of the lines of rows. A restore writes these rows, so a header that covers others than were stored gets no signature.
 * It does not judge the rows: see docs/decisions/0069-rows-with-their-entries.md.
 */
export class RowChain {
  /** The number of the first line, and the last line. */
  #first: bigint | undefined
  #last: Named | undefined
  /** The line that the header before covers, and those after it, by number. */
  #named: Named[] = []

  /** The number of the last line that was taken. */
  get last(): bigint {
    return this.#last?.number ?? 0n
  }

  /** @throws Fault if the line does not follow, or has another hash. */
  take({ rows: [number, from, to, text], previous, hash }: RowsLine): void {
    // The server deletes old lines: the first one here may follow any, and the headers cover its chain.
    const follows = this.#last === undefined || BigInt(number) > this.#last.number
    if (!follows) throw new Fault(`the lines of rows have ${number} after ${this.#last?.number}`)
    if (this.#last && BigInt(number) === this.#last.number + 1n && previous !== this.#last.hash)
      throw new Fault(`line ${number} of rows does not follow the one before`)
    const own = sha256(
      Buffer.of(0x40),
      Buffer.from(previous.slice(2), 'hex'),
      Buffer.from(JSON.stringify([number, from, to, text])),
    )
    if (`0x${own.toString('hex')}` !== hash) throw new Fault(`line ${number} of rows has another hash`)
    this.#first ??= BigInt(number)
    this.#last = { number: BigInt(number), hash }
    this.#named.push(this.#last)
  }

  /** Finds a header that covers other lines than were taken. One without lines covers none, as those of earlier versions. */
  faultOf({ header, lines }: HeaderLine): string | undefined {
    if (!lines || header.assets === undefined) return undefined
    if (coverLines(lines) !== header.rules) return 'the hash of the rules does not cover the lines of rows'
    const number = BigInt(lines.number)
    // Its line was deleted before this bookkeeper began: the next headers cover it too.
    if (this.#first !== undefined && number < this.#first) return undefined
    const own = this.#named.find((each) => each.number === number)
    if (own?.hash !== lines.hash) return `the header covers another line ${lines.number} of rows`
    this.#named = this.#named.filter((each) => each.number >= number)
    return undefined
  }
}

function coverLines({ rules, number, hash }: CoveredLines): string {
  const place = Buffer.alloc(8)
  place.writeBigUInt64BE(BigInt(number))
  const parts = [Buffer.from(rules.slice(2), 'hex'), place, Buffer.from(hash.slice(2), 'hex')]
  return `0x${sha256(Buffer.of(0x41), ...parts).toString('hex')}`
}
