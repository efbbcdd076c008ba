import { arrayLiteral } from './array-literal.ts'
import type { Book } from './book.ts'
import type { Statement } from './database.ts'
import type { HashedEntry, Posting } from './entry-hash.ts'

/** A response to store under an idempotency key. */
export interface StoredResponse {
  readonly owner: string
  readonly key: string
  readonly kind: string
  /** Hex. */
  readonly payloadHash: string
  readonly json: string
  readonly at: Date
}

/** Builds the statements that write a batch: one per table, in the order in which they must run. */
export function batchStatements(book: Book, responses: readonly StoredResponse[]): Statement[] {
  return [
    ...(book.entries.length > 0 ? [insertEntries(book.entries), saveBalances(book)] : []),
    ...[...book.changedRows.byFirst()].map(([table, rows]) => table.saveStatement([...rows.values()])),
    ...(responses.length > 0 ? [insertResponses(responses)] : []),
  ]
}

/** Copies the postings of the new entries that are read by account. Put after a `with added as (…)` that returns these. */
const COPY_POSTINGS = `insert into owner_postings (entry_seq, position, account, asset, units, balance_after, kind)
     select e.seq, p.place - 1, p.account, p.asset, p.units, p.balance_after, e.kind
     from added e cross join lateral unnest(e.accounts, e.assets, e.amounts, e.balances_after) with ordinality
       as p (account, asset, units, balance_after, place)
     where p.account = 'vault' or p.account like 'user:%'`

interface WrittenEntry extends HashedEntry {
  readonly hash: Uint8Array
  readonly postings: readonly (Posting & { readonly balanceAfter: bigint })[]
}

/** Inserts entries, and copies the postings on the accounts of users and of the vault to `owner_postings`. */
export function insertEntries(entries: readonly WrittenEntry[]): Statement {
  return {
    text: `with added as (
       insert into entries (seq, kind, at, reference, hash, accounts, assets, amounts, balances_after)
       select seq, kind, at, reference, decode(hash, 'hex'), accounts::text[], assets::text[], amounts::numeric[],
         balances_after::numeric[]
       from unnest(
         $1::bigint[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[]
       ) as given (seq, kind, at, reference, hash, accounts, assets, amounts, balances_after)
       returning seq, kind, accounts, assets, amounts, balances_after
     )
     ${COPY_POSTINGS}`,
    params: [
      arrayLiteral(entries.map((entry) => entry.seq)),
      arrayLiteral(entries.map((entry) => entry.kind)),
      arrayLiteral(entries.map((entry) => entry.at.toISOString())),
      arrayLiteral(entries.map((entry) => entry.reference)),
      arrayLiteral(entries.map((entry) => Buffer.from(entry.hash).toString('hex'))),
      // One array literal per entry, as text: PostgreSQL requires nested arrays to have equal lengths.
      arrayLiteral(entries.map(({ postings }) => arrayLiteral(postings.map((posting) => posting.account)))),
      arrayLiteral(entries.map(({ postings }) => arrayLiteral(postings.map((posting) => posting.asset)))),
      arrayLiteral(entries.map(({ postings }) => arrayLiteral(postings.map((posting) => posting.units)))),
      arrayLiteral(entries.map(({ postings }) => arrayLiteral(postings.map((posting) => posting.balanceAfter)))),
    ],
  }
}

function saveBalances({ changedBalances }: Book): Statement {
  const accounts: string[] = []
  const assets: string[] = []
  const units: bigint[] = []
  changedBalances.forEach((each, asset, account) => {
    accounts.push(account)
    assets.push(asset)
    units.push(each)
  })
  return {
    text: `insert into balances (account, asset, units) select * from unnest($1::text[], $2::text[], $3::numeric[])
     on conflict (account, asset) do update set units = excluded.units`,
    params: [accounts, assets, units].map(arrayLiteral),
  }
}

function insertResponses(responses: readonly StoredResponse[]): Statement {
  return {
    text: `insert into command_outcomes (owner, key, kind, payload_hash, outcome, at)
     select owner, key, kind, decode(payload_hash, 'hex'), outcome::json, at from unnest(
       $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[]
     ) as added (owner, key, kind, payload_hash, outcome, at)`,
    params: [
      arrayLiteral(responses.map((response) => response.owner)),
      arrayLiteral(responses.map((response) => response.key)),
      arrayLiteral(responses.map((response) => response.kind)),
      arrayLiteral(responses.map((response) => response.payloadHash)),
      arrayLiteral(responses.map((response) => response.json)),
      arrayLiteral(responses.map((response) => response.at.toISOString())),
    ],
  }
}
