import { createReadStream } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import type { Database } from '@clearwell/ledger/database'
import { type Partition, type PartitionRange, readPartitions } from '@clearwell/ledger/partitions'
import { readEntryHash, readOneMoment } from '@clearwell/ledger/reads'
import { verifyArchive } from '@clearwell/verify/verify-archive'
import { exportArchive, hex } from '../domain/proofs/export-archive.ts'
import { failure, type OperatorCommand, type Outcome } from './command.ts'
import { withDatabase } from './open-books.ts'

export const archive: OperatorCommand = {
  about:
    'lists the partitions of the ledger, or writes the entries of a full one into a file, named by its first entry, and checks the file: clearwell-verify reads it before an export. A second call checks the file that is there. The file names every account: keep it secret. The entries stay in the database',
  words: 'list | <first entry> <file>',
  async run({ words: [first = '', path, ...rest], json }) {
    if (rest.length > 0) return undefined
    if (path === undefined) return first === 'list' ? withDatabase((db) => list(db, json)) : undefined
    if (!/^[1-9]\d{0,17}$/.test(first)) return undefined
    return withDatabase((db) => archivePartition(db, { first: BigInt(first), path, json }))
  },
}

async function list(db: Database, json: boolean): Promise<Outcome> {
  const partitions = await readPartitions(db)
  const rows = partitions.map(({ first, last, isSealed }) => ({ first: `${first}`, last: `${last}`, full: isSealed }))
  const text = json
    ? JSON.stringify(rows, null, 2)
    : rows.map(({ first, last, full }) => `${first} to ${last}: ${full ? 'full' : 'in use'}`).join('\n')
  return { text: text || 'The ledger has no entries.', faults: [], exitCode: 0 }
}

interface Wanted {
  readonly first: bigint
  readonly path: string
  readonly json: boolean
}

/** Writes the file, unless it is there, and compares it with the ledger: so a call that was cut short is made again. */
export async function archivePartition(db: Database, { first, path, json }: Wanted): Promise<Outcome> {
  const partition = (await readPartitions(db)).find((each) => each.first === first)
  const fault = await faultOf(db, partition, first)
  if (!partition || fault) return failure(fault ?? '')
  if (!(await isThere(path))) await writeArchive(db, partition, path)
  const verdict = await compareArchive(db, partition, path)
  if (typeof verdict === 'string') return failure(verdict)
  const { entries, postings, before, hash } = verdict
  const text = json
    ? JSON.stringify({ path, first: `${first}`, last: `${partition.last}`, entries, postings, before, hash }, null, 2)
    : `${entries} entries, ${first} to ${partition.last}, are in ${path}. Closing hash ${hash}`
  return { text, faults: [], exitCode: 0 }
}

/** The reason why a partition cannot be an archive yet. */
async function faultOf(db: Database, partition: Partition | undefined, first: bigint): Promise<string | undefined> {
  if (!partition) return `No partition begins with entry ${first}. Run archive list.`
  if (!partition.isSealed) return `The partition of entry ${first} is in use: entries are still added to it.`
  const [header] = await db.query<{ seq: bigint }>(
    'select max(ledger_seq) as seq from proof_headers join proof_header_bodies using (id) where root_signature is not null',
  )
  if ((header?.seq ?? 0n) < partition.last)
    return `No signed header contains entry ${partition.last}, the last of this partition. Wait for the next header.`
  return undefined
}

/** Writes beside the file, and gives it its name when it is whole and on the disk. */
async function writeArchive(db: Database, partition: PartitionRange, path: string): Promise<void> {
  const file = await open(`${path}.part`, 'w', 0o600)
  try {
    await readOneMoment(db, async (tx) => {
      for await (const line of exportArchive(tx, partition)) await file.write(line)
    })
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.part`, path)
  const folder = await open(dirname(path))
  await folder.sync().finally(() => folder.close())
}

/** Reads the file again with the code of the verifier, and compares it with the ledger. Returns its fault, or its counts. */
async function compareArchive(db: Database, { first, last }: PartitionRange, path: string) {
  const verdict = await verifyArchive(createInterface({ input: createReadStream(path), crlfDelay: 0 }))
  if (!verdict.valid) return `${path}, line ${verdict.line}: ${verdict.fault}`
  const { counts } = verdict
  if (BigInt(counts.first) !== first || BigInt(counts.last) !== last)
    return `${path} has the entries ${counts.first} to ${counts.last}, not ${first} to ${last}.`
  const [before, closing] = [await readEntryHash(db, first - 1n), await readEntryHash(db, last)]
  const isOurs = before && closing && counts.before === hex(before) && counts.hash === hex(closing)
  return isOurs ? counts : `${path} is the archive of another ledger.`
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
}
