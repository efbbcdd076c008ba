import type { Database } from '@clearwell/ledger/database'
import { findMovedBalances } from '@clearwell/ledger/read-balances'
import { sumPostings } from '@clearwell/ledger/read-postings'
import { readOneMoment } from '@clearwell/ledger/reads'
import { NotReady } from '@clearwell/ledger/writer'
import { formatAmount } from '@clearwell/money/amount'
import type { Chain } from '../chain/chain.ts'
import { VAULT } from '../ledger/accounts.ts'
import type { Clock } from '../time/clock.ts'
import type { ReserveCheck } from './reserve-checks.ts'
import { readVaultBooks, readVaultHolding, VAULT_ASSETS, type VaultAsset, type VaultBooks } from './vault-books.ts'

/** The maximum age of a reused result, while the watcher's cursor has not moved. */
const REUSE_MS = 5_000
/** Entries that the first check sums; each later check continues after the previous one. */
const FIRST_ENTRIES = 10_000n

/** A shortfall or a surplus that a check found. */
export interface Finding {
  /** Identifies the finding: unchanged while only the block and the absolute amounts change. */
  readonly key: string
  /** One sentence for the operator, with the numbers. */
  readonly text: string
}

export type Solvency = { readonly block: bigint; readonly check: ReserveCheck } & (
  | { readonly ok: true; readonly surplus: Finding | undefined }
  | { readonly ok: false; readonly fault: Finding }
)

export interface SolvencyCheck {
  /**
   * Compares the ledger with the vault now. With `reuse` it returns a result of the last few seconds if no new block was
   * read since.
   *
   * @throws NotReady before the watcher has read a block.
   * @throws when the chain cannot be read at the books' block: solvency is then unknown, so nothing may be signed.
   */
  run(options?: { reuse: boolean }): Promise<Solvency>
}

/**
 * Checks that the vault holds at least the ledger's total of each asset at the watcher's block, and that the postings since
 * the last check sum to zero. It reads three balances and the new entries, so the number of users does not affect its cost.
 */
export function createSolvencyCheck(options: {
  readonly db: Database
  readonly chain: Chain
  readonly clock: Clock
}): SolvencyCheck {
  const { db, chain, clock } = options
  let summedTo: bigint | undefined
  let last: { readonly result: Solvency; readonly hash: string; readonly atMs: number } | undefined

  async function check(books: VaultBooks, checkedAt: Date): Promise<Solvency> {
    const { cursor, owed, tipSeq, tipHash } = books
    const block = cursor.number
    const read = { checkedAt, block: cursor, entry: { seq: tipSeq, hash: tipHash } }
    const wrong = await faultOfPostings(tipSeq)
    if (wrong) return { ok: false, block, fault: wrong, check: { ...read, figures: [], fault: 'ledger' } }
    const compare = async () => {
      const held = await readVaultHolding(chain, cursor)
      return VAULT_ASSETS.map((asset) => differenceOf({ asset, block, held: held[asset], owed: owed[asset] }))
    }
    let apart = await compare()
    // Retried once: for its head, a node may return the state of the block that it is still building.
    if (apart.some((each) => each.units < 0n)) apart = await compare()
    const figures = apart.map(({ asset, held, owed }) => ({ asset, vault: held, owed }))
    const missing = apart.filter((each) => each.units < 0n)
    if (missing.length > 0)
      return { ok: false, block, fault: findingOf(missing), check: { ...read, figures, fault: 'missing' } }
    const surplus = apart.filter((each) => each.units > 0n)
    const finding = surplus.length === 0 ? undefined : findingOf(surplus)
    return { ok: true, block, surplus: finding, check: { ...read, figures, fault: undefined } }
  }

  /** Sums the postings since the last check. After a fault, the next check sums the same entries again. */
  async function faultOfPostings(tipSeq: bigint): Promise<Finding | undefined> {
    const after = summedTo ?? (tipSeq > FIRST_ENTRIES ? tipSeq - FIRST_ENTRIES : 0n)
    const unbalanced = (await sumPostings(db, { after, to: tipSeq })).filter(({ units }) => units !== 0n)
    if (unbalanced.length > 0) {
      const sums = unbalanced.map(({ asset, units }) => `${units} base units of ${asset}`).join(', ')
      return { key: sums, text: `the postings of entries ${after + 1n} to ${tipSeq} do not sum to zero: ${sums}` }
    }
    const moved = await findMovedBalances(db, VAULT)
    if (moved.length > 0) {
      const text = `the balance of ${VAULT} is not what its postings say in ${moved.join(', ')}`
      return { key: text, text }
    }
    summedTo = tipSeq
    return undefined
  }

  return {
    async run({ reuse } = { reuse: false }) {
      const books = await readOneMoment(db, (tx) => readVaultBooks(tx, chain.id))
      if (!books) throw new NotReady('the watcher has not read a block yet')
      const now = clock.now()
      const nowMs = now.getTime()
      const isSame = last?.hash === books.cursor.hash && Math.abs(nowMs - last.atMs) <= REUSE_MS
      if (reuse && last && isSame) return last.result
      const result = await check(books, now)
      last = { result, hash: books.cursor.hash, atMs: nowMs }
      return result
    },
  }
}

interface Difference extends Finding {
  readonly asset: VaultAsset
  readonly held: bigint
  readonly owed: bigint
  /** Below zero: missing. */
  readonly units: bigint
}

function differenceOf(of: { asset: VaultAsset; block: bigint; held: bigint; owed: bigint }): Difference {
  const { asset, block, held, owed } = of
  const text = (units: bigint) => `${formatAmount({ asset, units })} ${asset}`
  const units = held - owed
  const key = units < 0n ? `${text(-units)} missing` : `${text(units)} too much`
  return {
    asset,
    held,
    owed,
    units,
    key,
    text: `${key}: the vault holds ${text(held)} at block ${block}, the ledger says ${text(owed)}`,
  }
}

function findingOf(differences: readonly Difference[]): Finding {
  return { key: differences.map(({ key }) => key).join(), text: differences.map(({ text }) => text).join('; ') }
}
