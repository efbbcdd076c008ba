import type { Book } from './book.ts'
import type { Statement } from './database.ts'

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

/** What writes a batch's decisions: as many statements as there are tables, in the order in which they must run. */
export function batchStatements(book: Book, answers: readonly StoredAnswer[]): Statement[] {
  const rowsByTable = Map.groupBy(book.changedRows.values(), (write) => write.table)
  return [
    ...(book.entries.length > 0 ? [insertEntries(book), insertPostings(book), saveBalances(book)] : []),
    ...[...rowsByTable].map(([table, writes]) => table.saving(writes.map((write) => write.row))),
    ...(answers.length > 0 ? [insertAnswers(answers)] : []),
  ]
}

function insertEntries({ entries }: Book): Statement {
  return {
    text: `insert into entries (seq, kind, at, reference, posting_count, hash)
     select seq, kind, at, reference, posting_count, decode(hash, 'hex') from unnest(
       $1::bigint[], $2::text[], $3::timestamptz[], $4::text[], $5::integer[], $6::text[]
     ) as added (seq, kind, at, reference, posting_count, hash)`,
    params: [
      entries.map((entry) => entry.seq.toString()),
      entries.map((entry) => entry.kind),
      entries.map((entry) => entry.at.toISOString()),
      entries.map((entry) => entry.reference),
      entries.map((entry) => String(entry.postings.length)),
      entries.map((entry) => Buffer.from(entry.hash).toString('hex')),
    ],
  }
}

function insertPostings({ entries }: Book): Statement {
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
  return {
    text: `insert into postings (entry_seq, position, account, asset, units, balance_after)
     select * from unnest($1::bigint[], $2::integer[], $3::text[], $4::text[], $5::numeric[], $6::numeric[])`,
    params: columns,
  }
}

function saveBalances(book: Book): Statement {
  const balances = [...book.changedBalances.values()]
  return {
    text: `insert into balances (account, asset, units) select * from unnest($1::text[], $2::text[], $3::numeric[])
     on conflict (account, asset) do update set units = excluded.units`,
    params: [
      balances.map((balance) => balance.account),
      balances.map((balance) => balance.asset),
      balances.map((balance) => balance.units.toString()),
    ],
  }
}

function insertAnswers(answers: readonly StoredAnswer[]): Statement {
  return {
    text: `insert into stored_answers (owner, key, kind, payload_hash, outcome, at)
     select owner, key, kind, decode(payload_hash, 'hex'), outcome::json, at from unnest(
       $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[]
     ) as added (owner, key, kind, payload_hash, outcome, at)`,
    params: [
      answers.map((answer) => answer.owner),
      answers.map((answer) => answer.key),
      answers.map((answer) => answer.kind),
      answers.map((answer) => answer.payloadHash),
      answers.map((answer) => answer.outcome),
      answers.map((answer) => answer.at.toISOString()),
    ],
  }
}
