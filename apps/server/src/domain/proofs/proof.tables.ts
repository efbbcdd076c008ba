import { column, defineWriterTable, forever, type RowOf, type Table, until } from '@clearwell/ledger/table'

/** The chain of headers. A row is small, and stays when the header's body goes, so that the chain can be followed. */
export const proofHeaders = defineWriterTable(
  'proof_headers',
  forever('number, predecessor and hash of each header: they make the chain'),
  {
    /** The number. */
    id: column.text,
    number: column.bigint,
    previous: column.text,
    hash: column.text,
    ledger_seq: column.bigint,
    made_at: column.time,
  },
  { isNeverRead: true },
)

/** The fields of each header, and its signatures. */
export const proofHeaderBodies = defineWriterTable(
  'proof_header_bodies',
  until('the header is 90 days old; one that is on the chain stays for ever', {
    days: 90,
    condition: 'made_at < $1 and posted_at is null',
  }),
  {
    /** The header's number. */
    id: column.text,
    /** JSON with amounts as decimal text. */
    header: column.text,
    root_signature: column.optional(column.text),
    /** Of the bookkeeper, where one is configured: both signatures are stored together. */
    book_signature: column.optional(column.text),
    /** The bookkeeper's signed refusal: JSON with reason and signature. */
    book_refusal: column.optional(column.text),
    tx_hash: column.optional(column.text),
    posted_at: column.optional(column.time),
    made_at: column.time,
    /** JSON of the last line of rows that it covers; null: none. */
    lines: column.optional(column.text),
  },
)

/** The log of changed leaves, a block for each header. With the keys, every path can be built from it. */
export const proofData = defineWriterTable(
  'proof_data',
  forever('a path is built from all blocks'),
  {
    /** The header's number. */
    id: column.text,
    number: column.bigint,
    /** The quarter of the key, such as `2026Q4`. */
    quarter: column.text,
    /** Base64. */
    block: column.text,
  },
  { isNeverRead: true },
)

/**
 * The leaves of the positions tree, from the first header that has one to the first that has it no more. A path in a header of before is
 * built from them.
 */
export const proofPositions = defineWriterTable(
  'proof_positions',
  until('90 days after the first header that no longer has the position', { days: 90, condition: 'ended_at < $1' }),
  {
    /** The first header that has it, and its hash. */
    id: column.text,
    account: column.user('implied'),
    hash: column.text,
    /** JSON: the fields that are hashed, without account and salt. */
    leaf: column.text,
    since: column.bigint,
    /** The first header that has it no more; null: the newest header has it. */
    ended: column.optional(column.bigint),
    ended_at: column.optional(column.time),
  },
  { isNeverRead: true, rowsAreFinal: false },
)
export type ProofPosition = RowOf<typeof proofPositions>

/** The newest header, from which the next one follows. */
export const proofHeads = defineWriterTable('proof_heads', forever('one row'), {
  id: column.text,
  number: column.bigint,
  hash: column.text,
  data_hash: column.text,
  ledger_seq: column.bigint,
  /** The last change of a place or of a counter that the header contains. */
  change: column.bigint,
  made_at: column.time,
  /** No further header is made before this one is signed, or refused by the bookkeeper. */
  is_signed: column.boolean,
})
export type ProofHead = RowOf<typeof proofHeads>
export const HEAD = 'head'

export const PROOF_TABLES: readonly Table<unknown>[] = [
  proofHeaderBodies,
  proofHeaders,
  proofData,
  proofPositions,
  proofHeads,
]
