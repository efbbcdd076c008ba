/** The lines of the ledger as the server sends them: those of `npm run operator -- export`, with the proof data of each header. */

/** An account name, an asset, and base units: positive into the account, negative out of it. */
export type PostingFields = readonly [account: string, asset: string, units: string]

/** An entry of the ledger, with exactly the fields that its hash covers. */
export type EntryFields = readonly [
  seq: string,
  kind: string,
  at: string,
  reference: string,
  postings: readonly PostingFields[],
]

/** The figures of one asset in a header: decimal text, except token and root. */
export type AssetFields = Readonly<Record<(typeof ASSET_FIELDS)[number], string>>

const ASSET_FIELDS = [
  ...(['token', 'root', 'users', 'lending', 'payouts', 'house', 'locked'] as const),
  ...(['depositedSeen', 'paidSeen', 'exitedSeen', 'payoutPaidSeen'] as const),
] as const

/** A header, with numbers of more than 53 bits as decimal text. */
export interface HeaderFields {
  readonly number: string
  readonly previous: string
  readonly ledgerSeq: string
  readonly entryHash: string
  readonly cursorBlock: string
  readonly cursorHash: string
  readonly cursorTime: number
  readonly positionsRoot: string
  readonly pools: string
  readonly rules: string
  readonly boxDay: number
  readonly boxRoot: string
  readonly dataHash: string
  readonly depth: number
  readonly rtRoot: string
  readonly rtUsers: string
  readonly assets: readonly AssetFields[]
}

/** The vault and the assets that the ledger belongs to. They never change. */
export interface LedgerHead {
  readonly chainId: number
  readonly vault: string
  /** The operator's payout address, in lower case. */
  readonly operator: string
  /** The number of each asset in leaves and headers: the token's address where it has one. */
  readonly tokens: Readonly<Record<string, string>>
  readonly depth: number
}

export interface HeaderLine {
  /** Without `assets`: the server no longer stores the fields. */
  readonly header: HeaderFields | { readonly number: string; readonly previous: string; readonly assets?: undefined }
  readonly seq: string
  readonly hash: string
  /** Of the root key; null while the header waits for its signatures, or if it was refused. */
  readonly signature: string | null
  /** The signature of a bookkeeper that is stored with it, if there is one. */
  readonly bookkeeper?: string
  /** Set if a bookkeeper has refused it. */
  readonly refusal?: object
  /** The last line of rows that the header covers; absent in headers of earlier versions, and before the first line. */
  readonly lines?: CoveredLines
  /** The encrypted records of the changed leaves, in base64. */
  readonly block: string
  /** The quarter of the block's key, such as `2026Q4`. */
  readonly quarter: string
}

/** The signatures of a header that had none when its line was sent. */
export interface SignedLine {
  readonly signed: string
  readonly root: string
  readonly bookkeeper: string | null
}

/** The last line of rows, with the hash of the rules: both are in the field `rules` of the header. */
export interface CoveredLines {
  readonly rules: string
  readonly number: string
  readonly hash: string
}

/** Rows that the command of the entries `from` to `to` wrote, as JSON text. `to` is less than `from` for a command without entries. */
export interface RowsLine {
  readonly rows: readonly [number: string, from: string, to: string, text: string]
  /** The hash of the line before. */
  readonly previous: string
  readonly hash: string
}

export type LedgerLine =
  | { readonly account: readonly [id: string, place: number, salt: string] }
  | { readonly entry: EntryFields; readonly hash: string }
  | HeaderLine
  | RowsLine
  | SignedLine

/** A statement about the ledger or a header that is not true. Its message is the reason of a refusal. */
export class Fault extends Error {}
