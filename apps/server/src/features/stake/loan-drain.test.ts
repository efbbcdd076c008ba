import { expect, test } from 'vitest'
import { stakeConfig, stakeRules } from '../../domain/lending/stake-config.ts'
import { createTestMoneyPrices } from '../../platform/prices/testing/money-prices.ts'
import { loanDrain } from './loan-drain.ts'

const NOW = new Date('2026-11-22T00:00:00Z')
const RULES = { ...stakeRules({ stake: stakeConfig.shape.stake.parse(undefined) }), version: 1 }
/** The most that a batch may have, see `BatchPace`. */
const MOST_ORDERS = 256
/** More than one look finds. */
const DUE = 60_000

/** A market where many orders are due. @returns the steps in their order: judged orders, or `sent`. */
function openMarket() {
  const steps: (readonly string[] | 'sent')[] = []
  const due = Array.from({ length: DUE }, (_, index) => `due-${index}`)
  const loans = loanDrain({
    store: {
      loansToJudge: async (_pairs: unknown, _assets: unknown, _now: Date, limit: number) => due.slice(0, limit),
      loansToAnnounce: async () => [],
    },
    writer: {
      isWriting: true,
      execute: async ({ kind, preload }: { kind: string; preload: readonly { id?: string }[] }) => {
        if (kind !== 'judge_loans') return {}
        const judged = preload.flatMap(({ id }) => (id?.startsWith('due-') ? [id] : []))
        due.splice(0, judged.length)
        steps.push(judged)
        return { judged: judged.length, notices: judged.length }
      },
    },
    clock: { now: () => NOW },
    moneyPrices: createTestMoneyPrices(() => NOW),
    notices: { check: async () => void steps.push('sent') },
    parameters: { rules: async () => RULES },
  } as unknown as Parameters<typeof loanDrain>[0])
  return { loans, steps }
}

/**
 * @attack S02 While thousands of dust orders were due, the leader judged without end and announced nothing.
 * @holds Orders are judged in small batches, and their notices are sent after a few of them, however many orders are due.
 */
test('the leader sends notices between small batches, and judges each order once', async () => {
  const { loans, steps } = openMarket()
  await loans.drain()
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
