import { readEntries } from '@clearwell/ledger/audit'
import type { Queryable } from '@clearwell/ledger/database'
import type { PartitionRange } from '@clearwell/ledger/partitions'
import { readEntryHash } from '@clearwell/ledger/reads'
import { hashedLines } from './hashed-lines.ts'
import { entryLine } from './ledger-lines.ts'

/** The format of the lines, as `packages/verify/src/verify-archive.mjs` reads them. */
const FORMAT = 'clearwell archive 1'

/**
 * Exports the entries of one partition as lines: the first and last entry with the hash before, the entries, and the counts with the
 * closing hash. Each line begins with `sha256(hash of the line before || text)`, as in the export of the ledger.
 *
 * @param tx sees one moment, as `readOneMoment` does.
 * @throws Error if an entry is missing.
 */
export async function* exportArchive(tx: Queryable, { first, last }: PartitionRange): AsyncGenerator<string> {
  const { line, end } = hashedLines()
  const hashBefore = await readEntryHash(tx, first - 1n)
  if (hashBefore === undefined) throw new Error(`entry ${first - 1n} is missing`)
  const before = hex(hashBefore)
  yield line({ format: FORMAT, first: `${first}`, last: `${last}`, before })
  let [seq, entries, postings, hash] = [first - 1n, 0, 0, before]
  while (seq < last) {
    const page = (await readEntries(tx, seq)).filter((entry) => entry.seq <= last)
    if (page.length === 0) throw new Error(`entry ${seq + 1n} is missing`)
    for (const entry of page) {
      const value = entryLine(entry)
      yield line(value)
      entries += 1
      postings += entry.postings.length
      hash = value.hash
      seq = entry.seq
    }
  }
  yield end({ entries, postings, hash })
}

/** As the lines name a hash. */
export function hex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString('hex')}`
}
