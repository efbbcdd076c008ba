import type { ResponseOf } from '@clearwell/api/routes'
import type { Queryable } from '@clearwell/ledger/database'

export type SignedHeader = ResponseOf<'proofHeader'>

/** Headers in memory at a time, per download, and in one file. */
const PAGE = 500
/** One is made each second at most. */
const MAX_AN_HOUR = 3_600
const MAX_LINES = 10_000

interface HeaderRow {
  readonly number: bigint
  readonly previous: string
  readonly hash: string
  readonly header: string | null
  readonly root_signature: string | null
  readonly book_signature: string | null
  readonly tx_hash: string | null
  readonly posted_at: Date | null
  readonly made_at: Date
}

/** A signed header with the time at which it was posted on the chain. */
export interface FoundHeader {
  readonly signed: SignedHeader
  readonly postedAt: Date | null
  readonly madeAt: Date
}

const COLUMNS =
  'number, previous, hash, header, root_signature, book_signature, tx_hash, posted_at, proof_headers.made_at'
const SIGNED = `select ${COLUMNS} from proof_headers join proof_header_bodies using (id) where root_signature is not null`

/** Headers that paths are given out for. */
type Which = 'signed' | 'posted'
const OF: Readonly<Record<Which, string>> = { signed: SIGNED, posted: `${SIGNED} and posted_at is not null` }

/** Finds the newest signed header, or the one with this number. */
export async function findHeader(
  db: Queryable,
  number?: bigint,
  which: Which = 'signed',
): Promise<FoundHeader | undefined> {
  const [row] = await (number === undefined
    ? db.query<HeaderRow>(`${OF[which]} order by number desc limit 1`)
    : db.query<HeaderRow>(`${OF[which]} and number = $1`, [number.toString()]))
  return row && toFound(row)
}

/**
 * Finds the header that paths are given out for: the first in the hour (UTC) of the newest header, or of the one with this number. A path
 * shows the sum of a neighbour, and an account sees one path an hour at most.
 *
 * @param which `posted`: only headers on the chain count, because an exit needs a path in one of them.
 */
export async function findHourlyHeader(
  db: Queryable,
  { number, which }: { readonly number: bigint | undefined; readonly which: Which },
): Promise<FoundHeader | undefined> {
  const of = await findHeader(db, number, which)
  if (!of) return undefined
  const [row] = await db.query<HeaderRow>(
    `${OF[which]} and number > $1 and number <= $2
     and proof_headers.made_at >= date_trunc('hour', $3::timestamptz, 'UTC') order by number limit 1`,
    [String(BigInt(of.signed.number) - BigInt(MAX_AN_HOUR)), of.signed.number, of.madeAt],
  )
  return row && toFound(row)
}

/** Finds the first signed header that contains an entry. */
export async function findHeaderOfEntry(db: Queryable, entry: bigint): Promise<FoundHeader | undefined> {
  const [row] = await db.query<HeaderRow>(`${SIGNED} and ledger_seq >= $1 order by ledger_seq, number limit 1`, [
    entry.toString(),
  ])
  return row && toFound(row)
}

/**
 * Writes headers as lines of JSON, oldest first. A header whose fields are no longer stored, or that the bookkeeper has refused, has only its
 * place in the chain.
 */
export async function* headerLines(db: Queryable, from: bigint): AsyncGenerator<string> {
  let after = from - 1n
  for (let lines = 0; lines < MAX_LINES; ) {
    const rows = await db.query<HeaderRow>(
      `select ${COLUMNS} from proof_headers left join proof_header_bodies using (id)
       where number > $1 and (header is null or root_signature is not null or book_refusal is not null) order by number limit $2`,
      [after.toString(), PAGE],
    )
    const last = rows.at(-1)
    if (!last) return
    yield rows
      .map((row) => `${JSON.stringify(row.root_signature === null ? linkOf(row) : toFound(row).signed)}\n`)
      .join('')
    if (rows.length < PAGE) return
    lines += rows.length
    after = last.number
  }
}

const linkOf = ({ number, previous, hash }: HeaderRow) => ({ number: `${number}`, previous, hash })

function toFound(row: HeaderRow): FoundHeader {
  const { number, hash, header, root_signature, book_signature, tx_hash, posted_at, made_at } = row
  return {
    signed: {
      number: `${number}`,
      hash,
      header: JSON.parse(header as string) as SignedHeader['header'],
      signatures: { root: root_signature as string, bookkeeper: book_signature },
      tx_hash,
    },
    postedAt: posted_at,
    madeAt: made_at,
  }
}
