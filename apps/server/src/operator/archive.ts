import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { readArchives } from '@clearwell/ledger/archives'
import type { Database } from '@clearwell/ledger/database'
import { type Partition, type PartitionRange, readPartitions } from '@clearwell/ledger/partitions'
import { readOneMoment } from '@clearwell/ledger/reads'
import { exportArchive, hex } from '../domain/proofs/export-archive.ts'
import { compareArchive, isThere } from './archive-file.ts'
import { attachArchive } from './attach-archive.ts'
import { failure, type OperatorCommand, type Outcome } from './command.ts'
import { detachArchive } from './detach-archive.ts'
import { withDatabase } from './open-books.ts'

export const archive: OperatorCommand = {
  about:
    'lists the archives and the partitions of the ledger, or writes the entries of a full partition into a file, named by its first entry, and checks the file: clearwell-verify reads it before an export. A second call checks the file that is there. The file names every account: keep it secret. detach reads the file again and drops the partition, the oldest one, if its entries are older than a year and in a header with both signatures; attach puts the newest archive back',
  words: 'list | <first entry> <file> | detach <first entry> <file> [--execute] | attach <file> [--execute]',
  options: ['execute'],
  async run({ words, json, execute }) {
    const [first = '', ...rest] = words
    const [act, number = '', path = ''] = /^\d/.test(first) ? ['write', first, ...rest] : words
    const count = words.length
    if (act === 'attach' && count === 2) return withDatabase((db) => attachArchive(db, { path: number, json, execute }))
    if (act === 'list' && count === 1 && !execute) return withDatabase((db) => list(db, json))
    if (!/^[1-9]\d{0,17}$/.test(number) || path === '') return undefined
    const wanted = { first: BigInt(number), path, json }
    if (act === 'write' && count === 2 && !execute) return withDatabase((db) => archivePartition(db, wanted))
    if (act !== 'detach' || count !== 3) return undefined
    return withDatabase((db, { env }) =>
      detachArchive(db, { ...wanted, execute }, { hasExits: env.vaultKind === 'exits' }),
    )
  },
}

async function list(db: Database, json: boolean): Promise<Outcome> {
  const archives = (await readArchives(db)).map(({ first, last, file, hash }) => {
    return { first: `${first}`, last: `${last}`, full: true, file, hash: hex(hash) }
  })
  const partitions = (await readPartitions(db)).map(({ first, last, isSealed }) => {
    return { first: `${first}`, last: `${last}`, full: isSealed }
  })
  const text = json
    ? JSON.stringify([...archives, ...partitions], null, 2)
    : [
        ...archives.map(
          ({ first, last, file, hash }) => `${first} to ${last}: detached, in ${file}. Closing hash ${hash}`,
        ),
        ...partitions.map(({ first, last, full }) => `${first} to ${last}: ${full ? 'full' : 'in use'}`),
      ].join('\n')
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
