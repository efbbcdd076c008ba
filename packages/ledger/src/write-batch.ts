import type { Book } from './book.ts'
import type { Queryable } from './database.ts'

/** An answer to keep under an idempotency key. */
export interface StoredAnswer {
  readonly owner: string
  readonly key: string
  readonly kind: string
  readonly payloadHash: string
  /** JSON text. */
  readonly outcome: string
  readonly at: Date
}

/** Writes what a batch has decided, in as many statements as there are tables. */
export async function writeBatch(tx: Queryable, book: Book, answers: readonly StoredAnswer[]): Promise<void> {
  if (book.entries.length > 0) {
    await insertEntries(tx, book)
    await insertPostings(tx, book)
    await saveBalances(tx, book)
  }
  const rowsByTable = Map.groupBy(book.changedRows.values(), (write) => write.table)
  for (const [table, writes] of rowsByTable) {
    await table.save(
      tx,
      writes.map((write) => write.row),
    )
  }
  if (answers.length > 0) await insertAnswers(tx, answers)
}

async function insertEntries(tx: Queryable, { entries }: Book): Promise<void> {
  await tx.query(
    `insert into entries (seq, kind, at, reference, posting_count, hash)
     select seq, kind, at, reference, posting_count, decode(hash, 'hex') from unnest(
       $1::bigint[], $2::text[], $3::timestamptz[], $4::text[], $5::integer[], $6::text[]
     ) as added (seq, kind, at, reference, posting_count, hash)`,
    [
      entries.map((entry) => entry.seq.toString()),
      entries.map((entry) => entry.kind),
      entries.map((entry) => entry.at.toISOString()),
      entries.map((entry) => entry.reference),
      entries.map((entry) => String(entry.postings.length)),
      entries.map((entry) => Buffer.from(entry.hash).toString('hex')),
    ],
  )
}

async function insertPostings(tx: Queryable, { entries }: Book): Promise<void> {
  const columns: string[][] = [[], [], [], [], [], []]
  const [seqs, positions, accounts, assets, units, balances] = columns as [
    string[],
    string[],
    string[],
    string[],
    string[],
    string[],
  ]
  for (const entry of entries) {
    entry.postings.forEach((posting, position) => {
      seqs.push(entry.seq.toString())
      positions.push(String(position))
      accounts.push(posting.account)
      assets.push(posting.asset)
      units.push(posting.units.toString())
      balances.push(posting.balanceAfter.toString())
    })
  }
  await tx.query(
    `insert into postings (entry_seq, position, account, asset, units, balance_after)
     select * from unnest($1::bigint[], $2::integer[], $3::text[], $4::text[], $5::numeric[], $6::numeric[])`,
    columns,
  )
}

async function saveBalances(tx: Queryable, book: Book): Promise<void> {
  const balances = [...book.changedBalances.values()]
  await tx.query(
    `insert into balances (account, asset, units) select * from unnest($1::text[], $2::text[], $3::numeric[])
     on conflict (account, asset) do update set units = excluded.units`,
    [
      balances.map((balance) => balance.account),
      balances.map((balance) => balance.asset),
      balances.map((balance) => balance.units.toString()),
    ],
  )
}

async function insertAnswers(tx: Queryable, answers: readonly StoredAnswer[]): Promise<void> {
  await tx.query(
    `insert into stored_answers (owner, key, kind, payload_hash, outcome, at)
     select owner, key, kind, decode(payload_hash, 'hex'), outcome::json, at from unnest(
       $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[]
     ) as added (owner, key, kind, payload_hash, outcome, at)`,
    [
      answers.map((answer) => answer.owner),
      answers.map((answer) => answer.key),
      answers.map((answer) => answer.kind),
      answers.map((answer) => answer.payloadHash),
      answers.map((answer) => answer.outcome),
      answers.map((answer) => answer.at.toISOString()),
    ],
  )
}
