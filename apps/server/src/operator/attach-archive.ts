import { type LedgerArchive, readArchives } from '@clearwell/ledger/archives'
import type { Database } from '@clearwell/ledger/database'
import { type ArchivedEntry, attachPartition } from '@clearwell/ledger/detach-partition'
import { entryHash } from '@clearwell/ledger/entry-hash'
import { hex } from '../domain/proofs/export-archive.ts'
import { compareArchive, isThere, linesOf } from './archive-file.ts'
import { failure, type Outcome } from './command.ts'

/** Entries that one statement inserts. */
const PER_PAGE = 2_000

interface Wanted {
  readonly path: string
  readonly json: boolean
  /** False: the call only checks the file. */
  readonly execute: boolean
}

/** Puts the entries of the newest archive back into the database, in one transaction, after the file was compared with its row. */
export async function attachArchive(db: Database, { path, json, execute }: Wanted): Promise<Outcome> {
  const archive = (await readArchives(db)).at(-1)
  if (!archive) return failure('No partition is detached.')
  if (!(await isThere(path))) return failure(`${path} is not there.`)
  const counts = await compareArchive(db, archive, path)
  if (typeof counts === 'string') return failure(`${counts} The newest archive is ${archive.file}.`)
  if (execute) {
    const changes = await sumChanges(path)
    await db.transaction((tx) => attachPartition(tx, archive, { pages: pagesOf(path, archive), changes }))
  }
  const { first, last } = archive
  const verb = execute ? 'are in the database again' : 'would be put back. Add --execute'
  const text = json
    ? JSON.stringify({ path, first: `${first}`, last: `${last}`, entries: counts.entries, effect: verb }, null, 2)
    : `${counts.entries} entries, ${first} to ${last}, ${verb}.`
  return { text, faults: [], exitCode: 0 }
}

type Line = { readonly entry?: [string, string, string, string, [string, string, string][]]; readonly hash: string }

async function* entriesOf(path: string): AsyncGenerator<ArchivedEntry> {
  for await (const text of linesOf(path)) {
    const { entry, hash } = JSON.parse(text.slice(65)) as Line
    if (!entry) continue
    const [seq, kind, at, reference, postings] = entry
    yield {
      ...{ seq: BigInt(seq), kind, at: new Date(at), reference, hash: Buffer.from(hash.slice(2), 'hex') },
      postings: postings.map(([account, asset, units]) => ({ account, asset, units: BigInt(units) })),
    }
  }
}

async function sumChanges(path: string): Promise<Map<string, bigint>> {
  const changes = new Map<string, bigint>()
  for await (const { postings } of entriesOf(path))
    for (const { account, asset, units } of postings) {
      const key = `${account} ${asset}`
      changes.set(key, (changes.get(key) ?? 0n) + units)
    }
  return changes
}

/** The chain is followed once more, because the file is read once more. @throws Error if it was changed meanwhile */
async function* pagesOf(path: string, archive: LedgerArchive): AsyncGenerator<ArchivedEntry[]> {
  let hash = archive.before
  let page: ArchivedEntry[] = []
  for await (const entry of entriesOf(path)) {
    hash = entryHash(hash, entry)
    page.push({ ...entry, hash })
    if (page.length < PER_PAGE) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
  if (hex(hash) !== hex(archive.hash)) throw new Error(`${path} was changed while it was read`)
}
