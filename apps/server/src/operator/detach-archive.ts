import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { readArchiveEnd, readArchives } from '@clearwell/ledger/archives'
import type { Database } from '@clearwell/ledger/database'
import { detachPartition, LedgerBusy } from '@clearwell/ledger/detach-partition'
import { type Partition, readPartitions } from '@clearwell/ledger/partitions'
import { readEntryTime } from '@clearwell/ledger/reads'
import { VERSION } from '../platform/process/version.ts'
import { compareArchive, isThere } from './archive-file.ts'
import { failure, type Outcome } from './command.ts'

const DAY_MS = 86_400_000
/** The newest entry of a partition that is dropped is older. The longest chart and the archive note of a balance check depend on it. */
export const LEAST_AGE_MS = 366 * DAY_MS

interface Wanted {
  readonly first: bigint
  readonly path: string
  readonly json: boolean
  /** False: the call only checks whether the partition can be dropped. */
  readonly execute: boolean
}

/** Facts that are not in the ledger. Tests have another clock. */
export interface DetachRules {
  /** The vault takes headers: the entries must be in one that it has. */
  readonly hasExits: boolean
  readonly now?: Date
  readonly leastAgeMs?: number
  readonly lockTries?: number
}

/**
 * Drops the oldest partition, whose entries are in the file. The file is read again and compared with the ledger first, and the drop is one
 * transaction, so a call that was cut short changed nothing or everything: it is made again.
 */
export async function detachArchive(db: Database, wanted: Wanted, rules: DetachRules): Promise<Outcome> {
  const { first, path, execute } = wanted
  const done = (await readArchives(db)).find((each) => each.first === first)
  const partition = done ?? (await readPartitions(db)).find((each) => each.first === first)
  if (!partition) return failure(`No partition begins with entry ${first}. Run archive list.`)
  const fault = done ? undefined : await faultOf(db, partition as Partition, rules)
  if (fault !== undefined) return failure(fault)
  if (!(await isThere(path)))
    return failure(`${path} is not there. Write it first: archive ${first} ${path}. Nothing was dropped.`)
  const counts = await compareArchive(db, partition, path)
  if (typeof counts === 'string') return failure(`${counts} Nothing was dropped.`)
  const result = { ...partition, hash: counts.hash, entries: counts.entries }
  if (done) return describe(wanted, result, 'were dropped before')
  if (!execute) return describe(wanted, result, 'would be dropped. Add --execute')
  await syncFile(path)
  const bytes = (text: string) => Buffer.from(text.slice(2), 'hex')
  const archive = {
    ...{ first, last: partition.last, postings: BigInt(counts.postings), file: basename(path) },
    ...{ before: bytes(counts.before), hash: bytes(counts.hash) },
  }
  try {
    await db.transaction((tx) => detachPartition(tx, archive, rules.lockTries))
  } catch (error) {
    if (error instanceof LedgerBusy)
      return failure('A long read of the ledger is running. Nothing was dropped: call again.')
    throw error
  }
  return describe(wanted, result, 'were dropped')
}

interface Dropped {
  readonly last: bigint
  readonly entries: number
  readonly hash: string
}

function describe({ first, path, json }: Wanted, { last, entries, hash }: Dropped, verb: string): Outcome {
  const text = json
    ? JSON.stringify({ path, first: `${first}`, last: `${last}`, entries, hash, effect: verb }, null, 2)
    : `${entries} entries, ${first} to ${last}, ${verb}. Keep ${path}, and a copy of it: no other place has these entries. Closing hash ${hash}`
  return { text, faults: [], exitCode: 0 }
}

/** The file outlives a power failure before its partition is gone. */
async function syncFile(path: string): Promise<void> {
  const file = await open(path)
  await file.sync().finally(() => file.close())
}

/** The reason why a partition cannot be dropped yet. */
async function faultOf(db: Database, { first, last, isSealed }: Partition, rules: DetachRules) {
  if (!isSealed) return `The partition of entry ${first} is in use: entries are still added to it.`
  const oldest = ((await readArchiveEnd(db))?.seq ?? 0n) + 1n
  if (first !== oldest) return `Only the oldest partition can be detached. It begins with entry ${oldest}.`
  return (
    (await faultOfAge(db, last, rules)) ??
    (await faultOfHeaders(db, last, rules)) ??
    (await faultOfReaders(db, last)) ??
    (await faultOfTransfers(db, last)) ??
    (await faultOfServers(db))
  )
}

async function faultOfAge(db: Database, last: bigint, { now, leastAgeMs = LEAST_AGE_MS }: DetachRules) {
  const at = await readEntryTime(db, last)
  if (!at) throw new Error(`entry ${last} is missing`)
  const [row] = await db.query<{ now: Date }>('select now() as now')
  const youngest = (now ?? row?.now ?? new Date(0)).getTime() - leastAgeMs
  if (at.getTime() <= youngest) return undefined
  return `Entry ${last} is of ${at.toISOString()}. A partition can be detached once its last entry is ${leastAgeMs / DAY_MS} days old.`
}

async function faultOfHeaders(db: Database, last: bigint, { hasExits }: DetachRules) {
  const [header] = await db.query<{ seq: bigint | null }>(
    `select max(ledger_seq) as seq from proof_headers join proof_header_bodies using (id)
     where root_signature is not null and book_signature is not null and ($1 or posted_at is not null)`,
    [!hasExits],
  )
  if ((header?.seq ?? 0n) >= last) return undefined
  const which = hasExits
    ? 'header with both signatures that was posted to the vault'
    : 'header that a bookkeeper has signed'
  return `No ${which} contains entry ${last}, the last of this partition. Wait for the next one.`
}

/** Jobs that read the ledger in its order. */
async function faultOfReaders(db: Database, last: bigint) {
  const [behind] = await db.query<{ name: string; seq: bigint }>(
    `select name, seq from ledger_followers where seq < $1
     union all select 'blind-box.sources', seq from box_source_cursor where seq < $1 limit 1`,
    [last.toString()],
  )
  return (
    behind &&
    `The job ${behind.name} has read the ledger up to entry ${behind.seq}. Wait until it has read entry ${last}.`
  )
}

/** The voucher of a transfer out names the header that contains the entry of its lock. */
async function faultOfTransfers(db: Database, last: bigint) {
  const [order] = await db.query<{ id: string }>(
    `select id from withdrawal_orders where status in ('locked', 'signed') and created_at <= $1 limit 1`,
    [await readEntryTime(db, last)],
  )
  return order && `The transfer out ${order.id} is open, and its lock is in this partition. Wait until it has ended.`
}

/** A server of an earlier version would show lists that end without a word, and start jobs that miss entries. */
async function faultOfServers(db: Database) {
  const [other] = await db.query<{ url: string; version: string | null }>(
    'select url, version from servers where version is distinct from $1 limit 1',
    [VERSION],
  )
  return (
    other &&
    `The server at ${other.url} has version ${other.version ?? 'before 0.2.0'}, and this command ${VERSION}. Upgrade it, or start one of this version at its address.`
  )
}
