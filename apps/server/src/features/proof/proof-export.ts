import type { ResponseOf } from '@clearwell/api/routes'
import { readArchivedBalances, readArchiveEndOf } from '@clearwell/ledger/archives'
import type { Queryable } from '@clearwell/ledger/database'
import { type PostingCursor, type PostingRow, readPostings } from '@clearwell/ledger/read-postings'
import { ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import { hashedLines } from '../../domain/proofs/hashed-lines.ts'
import { placeOf, userAccounts } from '../../platform/ledger/accounts.ts'
import type { SignedHeader } from './signed-headers.ts'

/** The format of the lines, as `packages/verify/src/verify-proof.mjs` reads them. */
const FORMAT = 'clearwell proof 1'
/** Postings in memory at a time, per download. */
const PAGE = 1_000

export interface ProofExport {
  readonly chainId: number
  readonly vault: string
  readonly tokens: Readonly<Record<AssetId, string>>
  readonly account: string
  /** The first entry. Those before it are in the balances at the start. */
  readonly from: bigint
  readonly signed: SignedHeader
  readonly leaves: ResponseOf<'proofMine'>['leaves']
  /** The account's pledges and open loan orders in the header; `undefined`: not known of this header. */
  readonly positions: ResponseOf<'proofMine'>['leaves'] | undefined
}

/**
 * Exports an account's own postings up to a header, the header, and the account's leaves in it, as lines. Each line begins with
 * `sha256(hash of the line before || text)`, so that the first line that was changed later is found. Postings in archives are not in it: then
 * it begins after them, and says so.
 */
export async function* proofExport(db: Queryable, of: ProofExport): AsyncGenerator<string> {
  const { chainId, vault, tokens, account, from, signed, leaves, positions } = of
  const { line, end } = hashedLines()
  const to = BigInt(signed.header.ledgerSeq)
  const accounts = userAccounts(account)
  const archived = await readArchiveEndOf(db, accounts)
  const isCut = archived !== undefined && from <= archived.seq
  const first = isCut ? archived.seq + 1n : from
  const start = await readBalancesBefore(db, accounts, first)
  const cut = isCut ? { archived: { to: `${archived.seq}`, at: archived.at.toISOString() } } : {}
  yield line({ format: FORMAT, chainId, vault, tokens, account, from: `${first}`, start, ...cut })
  for await (const rows of readPages(db, accounts, { from: first, to }))
    yield rows.map((row) => line({ posting: fieldsOf(row) })).join('')
  const { header, hash: headerHash, signatures } = signed
  const bookkeeper = signatures.bookkeeper === null ? {} : { bookkeeper: signatures.bookkeeper }
  // A verifier of an earlier version reads the line without them.
  const known = positions === undefined ? {} : { positions }
  yield line({ header, hash: headerHash, signature: signatures.root, ...bookkeeper, ...known })
  for (const leaf of leaves) yield line({ leaf })
  yield end()
}

function fieldsOf({ entry_seq, position, kind, at, account, asset, units, balance_after }: PostingRow) {
  return [`${entry_seq}`, position, kind, at.toISOString(), placeOf(account), asset, `${units}`, `${balance_after}`]
}

async function* readPages(
  db: Queryable,
  accounts: readonly string[],
  range: { readonly from: bigint; readonly to: bigint },
): AsyncGenerator<PostingRow[]> {
  const query = { accounts, asset: undefined, kinds: undefined, range, order: 'oldest_first', limit: PAGE } as const
  for (let after: PostingCursor | undefined; ; ) {
    const rows = await readPostings(db, { ...query, after })
    const last = rows.at(-1)
    if (!last) return
    yield rows
    if (rows.length < PAGE) return
    after = { seq: last.entry_seq, position: last.position }
  }
}

/** Reads what the account had before an entry: the balance after the last posting of each place and asset, which may be in an archive. */
async function readBalancesBefore(db: Queryable, accounts: readonly string[], from: bigint) {
  const balances: [place: string, asset: AssetId, units: string][] = []
  if (from <= 1n) return balances
  const range = { from: 1n, to: from - 1n }
  const archived = await readArchivedBalances(db, accounts)
  for (const account of accounts)
    for (const asset of ASSET_IDS) {
      const query = { accounts: [account], asset, kinds: undefined, range, order: 'newest_first' } as const
      const [last] = await readPostings(db, { ...query, after: undefined, limit: 1 })
      const ended = archived.find((each) => each.account === account && each.asset === asset)
      const units = last?.balance_after ?? ended?.units ?? 0n
      if (units > 0n) balances.push([placeOf(account), asset, `${units}`])
    }
  return balances
}
