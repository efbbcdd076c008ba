import { readArchivedBalances, readArchiveEnd, requireEntriesAfter } from '@clearwell/ledger/archives'
import { readEntries } from '@clearwell/ledger/audit'
import type { Queryable } from '@clearwell/ledger/database'
import { readEntryHash } from '@clearwell/ledger/reads'
import type { AssetId } from '@clearwell/money/asset'
import { hex } from './export-archive.ts'
import { hashedLines } from './hashed-lines.ts'
import { entryLine, HEADER_COLUMNS, type HeaderRow, headerLine } from './ledger-lines.ts'

/** The format of the lines, as `packages/verify/src/verify-ledger.mjs` reads them. */
const FORMAT = 'clearwell ledger 1'
const PER_PAGE = 5_000

export interface ExportHead {
  readonly chainId: number
  readonly vault: string
  /** The operator's payout address, in lower case. */
  readonly operator: string
  readonly tokens: Readonly<Record<AssetId, string>>
}

/**
 * Exports the ledger and its headers as lines: the head, places, counters, entries, headers, and the number of lines. Each line begins
 * with `sha256(hash of the line before || text)`, so that the first line that was changed later is found.
 *
 * @param tx sees one moment, as `readOneMoment` does.
 * @param from the first entry: those before it are in archives. Absent: the first one of the database. If no earlier one is in the
 * database, the balances before it follow the head, so the file can be checked alone.
 * @throws EntriesArchived if an entry from there on is in a detached archive.
 */
export async function* exportLedger(tx: Queryable, head: ExportHead, first?: bigint): AsyncGenerator<string> {
  const { line, end } = hashedLines()
  const archived = await readArchiveEnd(tx)
  const from = first ?? (archived?.seq ?? 0n) + 1n
  await requireEntriesAfter(tx, from - 1n)
  const carried = archived?.seq === from - 1n ? await readArchivedBalances(tx) : undefined
  const hash = await readEntryHash(tx, from - 1n)
  if (hash === undefined) throw new Error(`there is no entry ${from - 1n}`)
  yield line({
    format: FORMAT,
    ...head,
    depth: 20,
    ...(from === 1n
      ? {}
      : { after: { seq: `${from - 1n}`, hash: hex(hash), ...(carried ? { carried: carried.length } : {}) } }),
  })
  for (const { account, asset, units } of carried ?? []) yield line({ carried: [account, asset, `${units}`] })
  for await (const { id, place, salt } of pages<{ id: string; place: number; salt: string }>(tx, PLACED))
    if (id !== head.operator) yield line({ account: [id, place, salt] })
  for await (const row of pages<Counters>(tx, COUNTED)) {
    if (row.vault === head.vault.toLowerCase() && row.account !== '*')
      yield line({ seen: [row.account, row.asset, `${row.deposited}`, `${row.paid}`] })
  }
  for (let after = from - 1n; ; ) {
    const entries = await readEntries(tx, after)
    for (const entry of entries) yield line(entryLine(entry))
    const last = entries.at(-1)
    if (!last) break
    after = last.seq
  }
  yield* headerLines(tx, line)
  yield end()
}

interface Counters {
  readonly id: string
  readonly vault: string
  readonly account: string
  readonly asset: AssetId
  readonly deposited: bigint
  readonly paid: bigint
}

const PLACED = 'select id, place, salt from proof_accounts where id > $1 order by id limit $2'
const COUNTED =
  'select id, vault, account, asset, deposited, paid + exited as paid from vault_counters where id > $1 order by id limit $2'

async function* pages<Row extends { readonly id: string }>(tx: Queryable, text: string): AsyncGenerator<Row> {
  for (let after = ''; ; ) {
    const rows = await tx.query<Row>(text, [after, PER_PAGE])
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

async function* headerLines(tx: Queryable, line: (value: unknown) => string): AsyncGenerator<string> {
  for (let after = 0n; ; ) {
    const rows = await tx.query<HeaderRow>(
      `select ${HEADER_COLUMNS}
       from proof_headers left join proof_header_bodies using (id) where number > $1 order by number limit $2`,
      [after.toString(), PER_PAGE],
    )
    for (const row of rows) yield line(headerLine(row))
    const last = rows.at(-1)
    if (!last) return
    after = last.number
  }
}
