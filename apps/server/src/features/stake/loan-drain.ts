import type { Writer } from '@clearwell/ledger/writer'
import type { AssetId } from '@clearwell/money/asset'
import type { LendingStore } from '../../domain/lending/lending.store.ts'
import type { LendingParameters, LendingRules } from '../../domain/lending/lending-parameters.ts'
import { createPairPrices, type PricedPair } from '../../domain/lending/pair-prices.ts'
import type { Notices } from '../../platform/notices/notices.ts'
import type { MoneyPrices } from '../../platform/prices/money-prices.ts'
import { createBatchPace } from '../../platform/time/batch-pace.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { repeat } from '../../platform/time/repeat.ts'
import { judgeLoans, type PricesOf } from './judge-loans.ts'
import { createPoolPricing } from './reprice-pools.ts'

const EVERY_MS = 1_000
/** Orders that one search finds by each reason: many batches, so that searches cost little. */
const FOUND = 1_000
/** Notices that are sent together, at least. */
const SENT_AT_ONCE = 100
/** Searches of one run. The next one follows immediately. */
const MOST_PASSES = 50

export interface LoanDesk {
  start(): void
  stop(): Promise<void>
  /** Judges all orders that are due now, and notifies their owners. */
  check(): Promise<void>
}

interface DeskDependencies {
  readonly store: Pick<LendingStore, 'loansToJudge' | 'loansToAnnounce'>
  readonly writer: Pick<Writer, 'isWriting' | 'execute'>
  readonly clock: Clock
  readonly moneyPrices: MoneyPrices
  readonly notices: Pick<Notices, 'check'>
  readonly parameters: Pick<LendingParameters, 'rules'>
  readonly onError: (error: unknown, doing: string) => void
}

/** On the leader: judges orders by price, rate and time, and notifies their owners. */
export function createLoanDesk(deps: DeskDependencies): LoanDesk {
  const { writer, parameters, onError } = deps
  const pricing = createPoolPricing(deps)
  const judging = createJudging(deps)
  let isMore = false

  async function run(): Promise<void> {
    isMore = false
    if (!writer.isWriting) return
    const rules = await parameters.rules()
    await pricing.check(rules)
    const judged = new Set<string>()
    for (let pass = 0; pass < MOST_PASSES; pass++) {
      const pairs = await createPairPrices({ ...deps, rules }).all()
      const found = await search(deps, { rules, pairs })
      const due = found.filter((id) => !judged.has(id))
      for (const id of due) judged.add(id)
      await judging.judge(due, { rules, pairs })
      // With fewer, every part of the search found all of its orders.
      if (due.length === 0 || found.length < FOUND) return
    }
    isMore = true
    timer.wake()
  }

  const timer = repeat({ run, everyMs: EVERY_MS, onError: (error) => onError(error, 'loans') })
  return {
    start: timer.start,
    stop: timer.stop,
    async check() {
      do await timer.now()
      while (isMore)
    },
  }
}

/** Rules and prices of one pass. */
interface Pass {
  readonly rules: LendingRules
  readonly pairs: readonly PricedPair[]
}

/** Finds orders that may have to change, and those whose owners have to be notified, each once. */
async function search({ store, clock }: DeskDependencies, { rules, pairs }: Pass): Promise<string[]> {
  const toJudge = await store.loansToJudge(pairs, assetsOf(rules), clock.now(), FOUND)
  return [...new Set([...toJudge, ...(await store.loansToAnnounce(FOUND))])]
}

/** Judges orders in batches that hold the writer for a few milliseconds each, and sends the notices of each batch. */
function createJudging({ writer, notices }: Pick<DeskDependencies, 'writer' | 'notices'>) {
  const pace = createBatchPace()
  return {
    async judge(ids: readonly string[], { rules, pairs }: Pass): Promise<void> {
      const byPair = new Map(pairs.map((pair) => [pairKey(pair.collateral, pair.borrowed), pair.prices]))
      const pricesOf: PricesOf = (collateral, borrowed) =>
        byPair.get(pairKey(collateral, borrowed)) ?? { state: 'unknown', last: undefined }
      let unsent = 0
      for (let from = 0; from < ids.length; ) {
        const batch = ids.slice(from, from + pace.size)
        from += batch.length
        const command = judgeLoans(assetsOf(rules), batch, pricesOf)
        unsent += (await pace.run(batch.length, () => writer.execute(command))).notices
        if (unsent >= SENT_AT_ONCE || from >= ids.length) {
          await notices.check()
          unsent = 0
        }
      }
    },
  }
}

function assetsOf({ pools }: LendingRules): AssetId[] {
  return pools.map(({ asset }) => asset)
}

function pairKey(collateral: AssetId, borrowed: AssetId): string {
  return `${collateral}/${borrowed}`
}
