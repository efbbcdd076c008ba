import type { Database } from '@clearwell/ledger/database'
import type { Writer } from '@clearwell/ledger/writer'
import type { AssetId } from '@clearwell/money/asset'
import { loanToValue } from '@clearwell/rules/loan'
import { totalDebt } from '@clearwell/rules/loan-order'
import type { LoanPool } from '@clearwell/rules/loan-pool'
import type { LendingStore } from '../../domain/lending/lending.store.ts'
import type { LoanRow } from '../../domain/lending/lending.tables.ts'
import { debtOf } from '../../domain/lending/lending-books.ts'
import type { LendingParameters, LendingRules } from '../../domain/lending/lending-parameters.ts'
import { usableAt } from '../../domain/lending/loan-prices.ts'
import { createPairPrices, type PricedPair } from '../../domain/lending/pair-prices.ts'
import type { Notices } from '../../platform/notices/notices.ts'
import type { MoneyPrices } from '../../platform/prices/money-prices.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { repeat } from '../../platform/time/repeat.ts'
import { judgeLoans, markAnnounced, type PricesOf } from './judge-loans.ts'
import { noticesOf } from './loan-notices.ts'
import { createPoolPricing } from './reprice-pools.ts'

const EVERY_MS = 1_000
/** Orders that one command judges, and whose notices are sent together: a few milliseconds of the writer. */
const BATCH = 200
/** Passes of one look. The next one follows immediately. */
const MOST_PASSES = 50

export interface LoanDesk {
  start(): void
  stop(): Promise<void>
  /** Judges all orders that are due now, and notifies their owners. */
  check(): Promise<void>
}

interface DeskDependencies {
  readonly db: Database
  readonly store: LendingStore
  readonly writer: Writer
  readonly clock: Clock
  readonly moneyPrices: MoneyPrices
  readonly notices: Pick<Notices, 'send'>
  readonly parameters: Pick<LendingParameters, 'rules' | 'terms'>
  readonly onError: (error: unknown, doing: string) => void
}

/** On the leader: judges orders by price, rate and time, and notifies their owners. */
export function createLoanDesk(deps: DeskDependencies): LoanDesk {
  const { writer, parameters, onError } = deps
  const pricing = createPoolPricing(deps)
  let isMore = false

  /** Judges and announces in turn, so that notices are sent however many orders are due. */
  async function look(): Promise<void> {
    isMore = false
    if (!writer.isWriting) return
    const rules = await parameters.rules()
    await pricing.check(rules)
    const judged = new Set<string>()
    for (let pass = 0; pass < MOST_PASSES; pass++) {
      const pairs = await createPairPrices({ ...deps, rules }).all()
      const found = await judge(deps, { rules, pairs, judged })
      const announced = await announce(deps, { rules, pairs })
      if (found === 0 && announced === 0) return
    }
    isMore = true
    looks.wake()
  }

  const looks = repeat({ look, everyMs: EVERY_MS, onError: (error) => onError(error, 'loans') })
  return {
    start: looks.start,
    stop: looks.stop,
    async check() {
      do await looks.now()
      while (isMore)
    },
  }
}

/** Rules and prices of one pass. */
interface Pass {
  readonly rules: LendingRules
  readonly pairs: readonly PricedPair[]
}

/** Judges orders that may have to change, each once in a look. @returns how many. */
async function judge(
  { store, writer, clock }: DeskDependencies,
  { rules, pairs, judged }: Pass & { readonly judged: Set<string> },
): Promise<number> {
  const byPair = new Map(pairs.map((pair) => [pairKey(pair.collateral, pair.borrowed), pair.prices]))
  const pricesOf: PricesOf = (collateral, borrowed) =>
    byPair.get(pairKey(collateral, borrowed)) ?? { state: 'unknown', last: undefined }
  const assets = rules.pools.map(({ asset }) => asset)
  const ids = await store.loansToJudge(pairs, assets, clock.now(), BATCH)
  const due = ids.filter((id) => !judged.has(id))
  if (due.length === 0) return 0
  for (const id of due) judged.add(id)
  await writer.execute(judgeLoans(assets, due, pricesOf))
  return due.length
}

/** Sends the notices of a batch of orders. @returns how many orders. */
async function announce(deps: DeskDependencies, { rules, pairs }: Pass): Promise<number> {
  const { db, store, writer, clock, notices, parameters } = deps
  const rows = await store.loansToAnnounce(BATCH)
  if (rows.length === 0) return 0
  const now = clock.now()
  const { pools } = await store.state(
    rules.pools.map(({ asset }) => asset),
    now,
  )
  const terms = await parameters.terms()
  const drafts = rows.flatMap((row) => {
    const pool = pools.get(row.borrow_asset as AssetId)
    return noticesOf(row, { terms: terms(row.terms_version), ltvE18: pool && ltvOf(row, pool, pairs, now) })
  })
  await db.transaction((tx) => notices.send(tx, drafts, now))
  await writer.execute(markAnnounced(rows))
  return rows.length
}

/** The ratio that the borrower sees: at the worse price. */
function ltvOf(row: LoanRow, pool: LoanPool, pairs: readonly PricedPair[], now: Date): bigint | undefined {
  const pair = pairs.find((each) => each.collateral === row.collateral_asset && each.borrowed === row.borrow_asset)
  const prices = pair && usableAt(pair.prices, now)
  return prices && loanToValue(totalDebt(debtOf(row), pool.indexE27), row.collateral, prices.worse)
}

function pairKey(collateral: AssetId, borrowed: AssetId): string {
  return `${collateral}/${borrowed}`
}
