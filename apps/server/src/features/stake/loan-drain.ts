import type { Writer } from '@clearwell/ledger/writer'
import type { AssetId } from '@clearwell/money/asset'
import type { LendingStore } from '../../domain/lending/lending.store.ts'
import type { LendingParameters, LendingRules } from '../../domain/lending/lending-parameters.ts'
import { createPairPrices, type PricedPair } from '../../domain/lending/pair-prices.ts'
import { type Drain, defineDrain } from '../../platform/jobs/drain.ts'
import type { Notices } from '../../platform/notices/notices.ts'
import type { MoneyPrices } from '../../platform/prices/money-prices.ts'
import { createBatchPace } from '../../platform/time/batch-pace.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { judgeLoans, type PricesOf } from './judge-loans.ts'
import { createPoolPricing } from './reprice-pools.ts'

const EVERY_MS = 1_000
/** Orders that one search finds by each reason: many batches, so that searches cost little. */
const FOUND = 1_000
/** Notices that are sent together, at least. */
const SENT_AT_ONCE = 100
/** Searches with the same rules and pools’ rates. */
const MOST_PASSES = 50

interface LoanDrainDependencies {
  readonly store: Pick<LendingStore, 'loansToJudge' | 'loansToAnnounce'>
  readonly writer: Pick<Writer, 'isWriting' | 'execute'>
  readonly clock: Clock
  readonly moneyPrices: MoneyPrices
  readonly notices: Pick<Notices, 'check'>
  readonly parameters: Pick<LendingParameters, 'rules'>
}

/** Judges orders by price, rate and time, and notifies their owners. */
export function loanDrain(deps: LoanDrainDependencies): Drain {
  const { writer, parameters } = deps
  const pricing = createPoolPricing(deps)
  const judging = createJudging(deps)

  /** @returns whether a search may have left orders. */
  async function judgeSome(): Promise<boolean> {
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
      if (due.length === 0 || found.length < FOUND) return false
    }
    return true
  }

  return defineDrain({
    name: 'stake.loans',
    everyMs: EVERY_MS,
    async drain() {
      while (writer.isWriting && (await judgeSome()));
    },
  })
}

/** Rules and prices of one pass. */
interface Pass {
  readonly rules: LendingRules
  readonly pairs: readonly PricedPair[]
}

/** Finds orders that may have to change, and those whose owners have to be notified, each once. */
async function search({ store, clock }: LoanDrainDependencies, { rules, pairs }: Pass): Promise<string[]> {
  const toJudge = await store.loansToJudge(pairs, assetsOf(rules), clock.now(), FOUND)
  return [...new Set([...toJudge, ...(await store.loansToAnnounce(FOUND))])]
}

/** Judges orders in batches that hold the writer for a few milliseconds each, and sends the notices of each batch. */
function createJudging({ writer, notices }: Pick<LoanDrainDependencies, 'writer' | 'notices'>) {
  const pace = createBatchPace()
  return {
    async judge(ids: readonly string[], { rules, pairs }: Pass): Promise<void> {
      const byPair = new Map(pairs.map((pair) => [pairKey(pair.collateral, pair.borrowed), pair.prices]))
      const pricesOf: PricesOf = (collateral, borrowed) =>
        byPair.get(pairKey(collateral, borrowed)) ?? { state: 'unknown', last: undefined }
      let unsent = 0
      for (let from = 0; from < ids.length; ) {
        await pace.run(async (most) => {
          const batch = ids.slice(from, from + most)
          from += batch.length
          unsent += (await writer.execute(judgeLoans(assetsOf(rules), batch, pricesOf))).notices
          return batch.length
        })
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
