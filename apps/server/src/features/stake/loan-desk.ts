import type { Database } from '@clearwell/ledger/database'
import type { Writer } from '@clearwell/ledger/writer'
import type { AssetId } from '@clearwell/money/asset'
import type { LendingStore } from '../../platform/lending/lending.store.ts'
import type { LendingParameters } from '../../platform/lending/lending-parameters.ts'
import { createPairPrices } from '../../platform/lending/pair-prices.ts'
import { pairPriceE18 } from '../../platform/lending/update-loan.ts'
import type { Notices } from '../../platform/notices/notices.ts'
import type { Prices } from '../../platform/prices/prices.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { repeat } from '../../platform/time/repeat.ts'
import { judgeLoans, markAnnounced, type PricesOf } from './judge-loans.ts'
import { noticesOf } from './loan-notices.ts'

const EVERY_MS = 1_000
/** Orders that one command judges. A look takes as many commands as it needs. */
const BATCH = 200

export interface LoanDesk {
  start(): void
  stop(): Promise<void>
  /** Judges all orders that are due now, and notifies their owners. */
  check(): Promise<void>
}

/** On the leader: judges orders by price and time, and notifies their owners. */
export function createLoanDesk(deps: {
  readonly db: Database
  readonly store: LendingStore
  readonly writer: Writer
  readonly clock: Clock
  readonly prices: Prices
  readonly notices: Pick<Notices, 'send'>
  readonly parameters: Pick<LendingParameters, 'rules'>
  readonly onError: (error: unknown, doing: string) => void
}): LoanDesk {
  const { db, store, writer, clock, notices, parameters, onError } = deps

  async function look(): Promise<void> {
    if (!writer.isWriting) return
    const rules = await parameters.rules()
    const known = await createPairPrices({ ...deps, rules }).all()
    const byPair = new Map(known.map(({ collateral, borrowed, prices }) => [pairKey(collateral, borrowed), prices]))
    const pricesOf: PricesOf = (collateral, borrowed) => byPair.get(pairKey(collateral, borrowed))
    const pairs = known.map(({ prices, ...pair }) => ({ ...pair, priceE18: pairPriceE18(prices) }))
    let last: string[] = []
    for (;;) {
      const ids = await store.loansToJudge(pairs, rules.limitsVersion, clock.now(), BATCH)
      const due = ids.filter((id) => !last.includes(id))
      if (due.length === 0) break
      await writer.execute(judgeLoans(rules, due, pricesOf))
      last = ids
    }
    await announce()
  }

  async function announce(): Promise<void> {
    for (;;) {
      const rows = await store.loansToAnnounce(BATCH)
      if (rows.length === 0) return
      await db.transaction((tx) => notices.send(tx, rows.flatMap(noticesOf), clock.now()))
      await writer.execute(markAnnounced(rows))
      if (rows.length < BATCH) return
    }
  }

  const looks = repeat({ look, everyMs: EVERY_MS, onError: (error) => onError(error, 'loans') })
  return { start: looks.start, stop: looks.stop, check: looks.now }
}

function pairKey(collateral: AssetId, borrowed: AssetId): string {
  return `${collateral}/${borrowed}`
}
