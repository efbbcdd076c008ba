import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Queryable } from '@clearwell/ledger/database'
import type { PartitionRange } from '@clearwell/ledger/partitions'
import { readEntryHash } from '@clearwell/ledger/reads'
import { type ArchiveCounts, verifyArchive } from '@clearwell/verify/verify-archive'
import { hex } from '../domain/proofs/export-archive.ts'

/** The lines of a file, without their ends. */
export function linesOf(path: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(path), crlfDelay: 0 })
}

/** Reads the file again with the code of the verifier, and compares it with the ledger. Returns its fault, or its counts. */
export async function compareArchive(
  db: Queryable,
  { first, last }: PartitionRange,
  path: string,
): Promise<string | ArchiveCounts> {
  const verdict = await verifyArchive(linesOf(path))
  if (!verdict.valid) return `${path}, line ${verdict.line}: ${verdict.fault}`
  const { counts } = verdict
  if (BigInt(counts.first) !== first || BigInt(counts.last) !== last)
    return `${path} has the entries ${counts.first} to ${counts.last}, not ${first} to ${last}.`
  const [before, closing] = [await readEntryHash(db, first - 1n), await readEntryHash(db, last)]
  const isOurs = before && closing && counts.before === hex(before) && counts.hash === hex(closing)
  return isOurs ? counts : `${path} is the archive of another ledger.`
}

export async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
}
