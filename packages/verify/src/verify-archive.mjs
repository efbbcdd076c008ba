// @ts-check
import { Ledger } from './balance-trees.mjs'
import { verifyLines } from './verify-lines.mjs'

/**
 * Checks an archive: the entries of one sealed partition of the ledger, in a file.
 *
 * @typedef {import('./balance-trees.mjs').Entry} Entry
 * @typedef {{ first: number, last: number, entries: number, postings: number, before: string, hash: string }} ArchiveCounts
 * @typedef {{ lines: number } & ArchiveCounts} Counts
 * @typedef {{ valid: true, counts: Counts } | { valid: false, line: number, fault: string }} Verdict
 */

const FORMAT = 'clearwell archive 1'

/**
 * Checks one archive alone: each line, each entry's sums, the hash chain from the entry before, the counts and the closing hash. Only
 * with the archives before it are the balances known, so only `verifyLedger` finds an account that goes below zero.
 *
 * @param {Iterable<string> | AsyncIterable<string>} lines without their ends
 * @returns {Promise<Verdict>}
 */
export function verifyArchive(lines) {
  /** @type {Ledger | undefined} */
  let ledger
  const check = new ArchiveCheck({
    begin: (seq, hash) => {
      ledger = new Ledger('', { seq, hash })
    },
    add: async (entry) => {
      await ledger?.add(entry)
      return ledger?.hash ?? ''
    },
  })
  return verifyLines(lines, check)
}

/** Checks the lines of an archive, and hands its entries on. */
export class ArchiveCheck {
  #to
  #first = 0
  #last = 0
  #before = ''
  #hash = ''
  #entries = 0
  #postings = 0
  #ended = false

  /** @param {{ begin(seq: number, hash: string): void, add(entry: Entry): Promise<string> }} to where the entries go */
  constructor(to) {
    this.#to = to
  }

  /** @returns {ArchiveCounts} */
  get counts() {
    const [first, last, entries, postings] = [this.#first, this.#last, this.#entries, this.#postings]
    return { first, last, entries, postings, before: this.#before, hash: this.#hash }
  }

  /** @param {any} value @param {number} number */
  async line(value, number) {
    if (this.#ended) throw new Error('there is a line after the end')
    if (number === 1) return this.#head(value)
    if (value.end !== undefined) return this.#end(value, number)
    const { entry, hash } = value
    if (!entry) throw new Error('the line has no known kind')
    this.#hash = await this.#to.add(entry)
    if (this.#hash !== hash) throw new Error(`the hash chain breaks at entry ${entry[0]}`)
    this.#entries += 1
    this.#postings += entry[4].length
  }

  /** @param {any} head */
  #head({ format, first, last, before }) {
    if (format !== FORMAT) throw new Error(`the format is ${format}, not ${FORMAT}`)
    this.#first = Number(first)
    this.#last = Number(last)
    this.#before = before
    this.#to.begin(this.#first - 1, before)
  }

  /** @param {any} value @param {number} number */
  #end({ end, entries, postings, hash }, number) {
    if (end !== number - 1) throw new Error('lines are missing')
    const isWhole = this.#entries === this.#last - this.#first + 1
    if (!isWhole || entries !== this.#entries || postings !== this.#postings)
      throw new Error(`the archive has ${this.#entries} entries and ${this.#postings} postings, and names others`)
    if (hash !== this.#hash) throw new Error('the closing hash is not that of the last entry')
    this.#ended = true
  }

  end() {
    if (!this.#ended) throw new Error('the end is missing')
  }
}
