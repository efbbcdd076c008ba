import type { Queryable } from '@clearwell/ledger/database'
import { readBalances } from '@clearwell/ledger/read-balances'
import { ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import {
  isOpenLoan,
  type LoanRow,
  lendingPools,
  loans,
  type PoolRow,
  pledges,
} from '../../domain/lending/lending.tables.ts'
import { lendingCash } from '../../domain/lending/lending-accounts.ts'
import { hashAllPositions, type ProofSettings } from '../../domain/proofs/proof-books.ts'
import { byAsset } from '../../domain/proofs/read-books.ts'
import { type Positions, readPositions } from '../../domain/proofs/read-positions.ts'
import { coverLines, type RowLine } from '../../platform/ledger/row-lines.ts'
import type { SignedHeader } from './check-signers.ts'
import { isOfCollateral } from './entry-kinds.ts'
import type { Store, StoredEntry, StoredHeader } from './read-store.ts'
import { type MissingLines, rowsOf } from './rebuild-rows.ts'
import { RestoreRefused } from './restore-refused.ts'

/** The rows and entries that a restore would write, and the database before it. */
interface Checked {
  readonly db: Queryable
  readonly store: Pick<Store, 'accounts' | 'entries'>
  /** The last entry of the database. */
  readonly tip: bigint
  readonly missing: MissingLines
}

/**
 * Compares the lines of rows with the newest signed header: it covers their hash chain, and has the root of the positions and
 * the hash of the pools that they lead to. Entries and lines after that header have no signature.
 *
 * @throws RestoreRefused if one of them is another.
 */
export async function checkPositions(
  checked: Checked,
  signed: SignedHeader | undefined,
  { tokens }: Pick<ProofSettings, 'tokens'>,
): Promise<void> {
  const { tip, missing } = checked
  if (!signed || tip > signed.header.ledgerSeq) return
  const { header, fields } = signed
  const covered = coveredLines(header, fields.rules, missing)
  if (missing.last && header.lines && missing.last.number > BigInt(header.lines.number)) return
  const { positions, cash } = await positionsAt(checked, header.ledgerSeq, covered)
  const own = hashAllPositions(positions, { tokens, cash })
  for (const name of ['positionsRoot', 'pools'] as const)
    if (own[name] !== fields[name])
      throw new RestoreRefused(
        `The entries and rows of the store lead to ${name} ${own[name]}, and header ${header.number} has ${fields[name]}.`,
      )
}

/** Returns the lines that the header covers. @throws RestoreRefused if it does not cover one that it should */
function coveredLines(
  { number, lines: named, ledgerSeq }: StoredHeader,
  rules: string,
  { lines, last }: MissingLines,
): readonly RowLine[] {
  const upTo = BigInt(named?.number ?? 0)
  const uncovered = lines.find((line) => line.number > upTo && line.to_seq >= line.from_seq && line.to_seq <= ledgerSeq)
  if (uncovered) throw new RestoreRefused(`Header ${number} does not cover line ${uncovered.number} of rows.`)
  if (!named) return []
  if (coverLines(named) !== rules)
    throw new RestoreRefused(`The hash of the rules in header ${number} does not cover the lines of rows.`)
  const own = [...lines, ...(last ? [last] : [])].find((line) => line.number === upTo)
  if (own?.hash !== named.hash && upTo > (last?.number ?? 0n))
    throw new RestoreRefused(
      `Header ${number} covers line ${upTo} of rows, which the store ${own ? 'has otherwise' : 'lacks'}.`,
    )
  return lines.filter((line) => line.number <= upTo)
}

/** The positions of the database after the entries up to `seq` and these lines. */
async function positionsAt(
  { db, store: { accounts, entries }, missing }: Checked,
  seq: bigint,
  lines: readonly RowLine[],
): Promise<{ positions: Positions; cash: Readonly<Record<AssetId, bigint>> }> {
  const before = await readPositions(db)
  const all = {
    pledges: new Map(before.pledges.map((each) => [`${each.asset}:${each.account}`, each])),
    orders: new Map(before.orders.map((each) => [each.id, each])),
    pools: new Map<string, Positions['pools'][number]>(before.pools.map((each) => [each.asset, each])),
  }
  const due = entries.filter((entry) => entry.seq <= seq)
  for (const entry of due)
    if (isOfCollateral(entry.kind) && !missing.covers(entry.seq)) addCollateral(all.orders, entry)
  const users = await db.query<{ id: string; salt: string }>('select id, salt from proof_accounts')
  const salts = new Map([...users.map(({ id, salt }) => [id, salt] as const), ...saltsOf(accounts)])
  const saltOf = (id: string) => {
    const salt = salts.get(id)
    if (salt === undefined) throw new RestoreRefused(`The account ${id} of a position has no salt in the store.`)
    return salt
  }
  for (const { table, row } of lines.flatMap(rowsOf)) {
    const { id } = row
    if (table === pledges) {
      const { user_id: account, asset, shares } = row as unknown as { user_id: string; asset: AssetId; shares: bigint }
      if (shares > 0n) all.pledges.set(id, { salt: saltOf(account), account, asset, shares })
      else all.pledges.delete(id)
    } else if (table === lendingPools) all.pools.set(id, { ...(row as PoolRow), asset: id as AssetId })
    else if (table === loans) {
      const loan = row as LoanRow
      if (isOpenLoan(loan)) all.orders.set(id, { ...loan, salt: saltOf(loan.user_id), account: loan.user_id })
      else all.orders.delete(id)
    }
  }
  const [pledged, orders, pools] = [all.pledges, all.orders, all.pools].map((each) => [...each.values()])
  const positions = { pledges: pledged, orders, pools } as Positions
  return { positions, cash: await cashAfter(db, due) }
}

const saltsOf = (accounts: Store['accounts']) => Array.from(accounts, ([id, { salt }]) => [id, salt] as const)

function addCollateral(orders: Map<string, Positions['orders'][number]>, { reference, postings }: StoredEntry): void {
  const order = orders.get(reference)
  const units = postings.find(({ account }) => account.endsWith(':collateral'))?.units ?? 0n
  if (order) orders.set(reference, { ...order, collateral: order.collateral + units })
}

async function cashAfter(db: Queryable, entries: readonly StoredEntry[]): Promise<Readonly<Record<AssetId, bigint>>> {
  const balances = await readBalances(db, ASSET_IDS.map(lendingCash))
  const moved = entries.flatMap(({ postings }) => postings)
  return byAsset((asset) => {
    const isOwn = (each: { account: string; asset: string }) =>
      each.account === lendingCash(asset) && each.asset === asset
    return [...balances, ...moved].filter(isOwn).reduce((sum, { units }) => sum + units, 0n)
  })
}
