import type { Command } from '@clearwell/ledger/command'
import { expect, test } from 'vitest'
import { LOAN_STATUS, loans } from '../../domain/lending/lending.tables.ts'
import { stakeConfig, stakeRules } from '../../domain/lending/stake-config.ts'
import { createTestMoneyPrices } from '../../platform/prices/testing/money-prices.ts'
import { loanDrain } from './loan-drain.ts'
import { newPledgedPool } from './testing/pledged-pool.ts'

const NOW = new Date('2026-11-22T00:00:00Z')
const RULES = { ...stakeRules({ stake: stakeConfig.shape.stake.parse(undefined) }), version: 1 }
/** The most that a batch may have, see `BatchPace`. */
const MOST_ORDERS = 256
/** More than one look finds. */
const DUE = 60_000
const MOST_SEARCHES = 100

interface Market {
  /** Finds orders that may have to change. */
  readonly search: (limit: number) => readonly string[]
  /** Notices that a batch decides. */
  readonly decided: (batch: readonly string[]) => number
}

/**
 * A market of orders `due-<number>`. The server stops being the leader after many searches, so that a drain ends that would not.
 *
 * @returns the steps in their order: judged orders, or `sent`; and how often was searched with each reading of the rules.
 */
function openMarket({ search, decided }: Market) {
  const steps: (readonly string[] | 'sent')[] = []
  const searches: number[] = []
  const drain = loanDrain({
    store: {
      loansToJudge: async (_pairs: unknown, _assets: unknown, _now: Date, limit: number) => {
        searches.push((searches.pop() ?? 0) + 1)
        return search(limit)
      },
      loansToAnnounce: async () => [],
    },
    writer: {
      get isWriting() {
        return searches.reduce((sum, each) => sum + each, 0) < MOST_SEARCHES
      },
      execute: async ({ kind, preload }: { kind: string; preload: readonly { id?: string }[] }) => {
        if (kind !== 'judge_loans') return {}
        const judged = preload.flatMap(({ id }) => (id?.startsWith('due-') ? [id] : []))
        steps.push(judged)
        return { judged: judged.length, notices: decided(judged) }
      },
    },
    clock: { now: () => NOW },
    moneyPrices: createTestMoneyPrices(() => NOW),
    notices: { check: async () => void steps.push('sent') },
    parameters: {
      rules: async () => {
        searches.push(0)
        return RULES
      },
    },
  } as unknown as Parameters<typeof loanDrain>[0])
  return { drain, steps, searches }
}

const ordersUpTo = (most: number) => Array.from({ length: most }, (_, index) => `due-${index}`)

/**
 * @attack S02 While thousands of dust orders were due, the leader judged without end and announced nothing.
 * @holds Orders are judged in small batches, and their notices are sent after a few of them, however many orders are due.
 */
test('the leader sends notices between small batches, and judges each order once', async () => {
  const due = ordersUpTo(DUE)
  const { drain, steps, searches } = openMarket({
    search: (limit) => due.slice(0, limit),
    decided: (batch) => due.splice(0, batch.length).length,
  })
  await drain.drain()
  // Sixty searches find a thousand each, and the last one finds nothing. The rules are read again after 50.
  expect(searches).toEqual([50, 11])
  const judged = steps.flatMap((step) => (step === 'sent' ? [] : step))
  expect([judged.length, new Set(judged).size]).toEqual([DUE, DUE])
  let unsent = 0
  for (const step of steps) {
    if (step === 'sent') unsent = 0
    else {
      expect(step.length).toBeLessThanOrEqual(MOST_ORDERS)
      unsent += step.length
      expect(unsent).toBeLessThanOrEqual(2 * MOST_ORDERS)
    }
  }
  expect(unsent).toBe(0)
})

test.each([
  [999, 1],
  [1_000, 2],
])('%i orders that stay due are judged once, in %i searches', async (most, times) => {
  const { drain, steps, searches } = openMarket({ search: () => ordersUpTo(most), decided: () => 0 })
  await drain.drain()
  expect(searches).toEqual([times])
  expect(steps.flatMap((step) => (step === 'sent' ? [] : step))).toEqual(ordersUpTo(most))
})

test.each([
  // A first batch has the fewest orders: 32.
  [99, [32, 1, 'sent']],
  [100, [32, 'sent', 1, 'sent']],
])('%i notices of a first batch, and when they are sent', async (first, expected) => {
  const decided = (batch: readonly string[]) => (batch.length > 1 ? first : 0)
  const { drain, steps } = openMarket({ search: () => ordersUpTo(33), decided })
  await drain.drain()
  expect(steps.map((step) => (step === 'sent' ? step : step.length))).toEqual(expected)
})

test('an order is judged at its pair’s prices', async () => {
  const ledger = newPledgedPool()
  const { order_id: id } = ledger.borrow('user', '9', '3510')
  const moneyPrices = createTestMoneyPrices(() => ledger.now)
  // 3,510 of 9 × 460 are above 83 %. ETH has no price.
  moneyPrices.fresh('BNB', 460n)
  const searched: unknown[][] = []
  const drain = loanDrain({
    store: {
      loansToJudge: async (...asked: unknown[]) => {
        searched.push(asked.slice(1))
        return [id]
      },
      loansToAnnounce: async () => [id],
    },
    writer: { isWriting: true, execute: async (command: Command<unknown>) => ledger.execute(command) },
    clock: { now: () => ledger.now },
    moneyPrices,
    notices: { check: async () => {} },
    parameters: { rules: async () => ledger.rules },
  } as unknown as Parameters<typeof loanDrain>[0])
  await drain.drain()
  expect(searched).toEqual([[['USDT', 'BNB'], ledger.now, 1_000]])
  expect(ledger.row(loans, id)?.status).toBe(LOAN_STATUS.toBeCleared)
  expect(ledger.executed.at(-1)?.plan.response).toEqual({ judged: 1, notices: 1 })
})
