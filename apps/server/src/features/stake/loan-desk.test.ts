import { expect, test } from 'vitest'
import { LOAN_STATUS, type LoanRow } from '../../domain/lending/lending.tables.ts'
import { stakeConfig, stakeRules } from '../../domain/lending/stake-config.ts'
import { createTestMoneyPrices } from '../../platform/prices/testing/money-prices.ts'
import { createLoanDesk } from './loan-desk.ts'

const NOW = new Date('2026-11-22T00:00:00Z')
const RULES = { ...stakeRules({ stake: stakeConfig.shape.stake.parse(undefined) }), version: 1 }
/** A market in which `looks` batches of new orders are due, one after the other. */
const BATCHES = 120

const WARNED = {
  id: 'warned',
  user_id: 'victim',
  status: LOAN_STATUS.toBeCleared,
  status_at: NOW,
  borrow_asset: 'USDT',
  collateral_asset: 'BNB',
  principal: 1n,
  debt_shares: 1n,
  collateral: 1n,
  terms_version: 1,
  rate_reached_e18: null,
  is_part_cleared: false,
} as LoanRow

/** A desk over a market where many orders are due. @returns the steps in their order. */
function openDesk() {
  const steps: string[] = []
  let batch = 0
  let toAnnounce = [WARNED]
  const desk = createLoanDesk({
    db: { transaction: (work: (tx: unknown) => unknown) => work({}) },
    store: {
      loansToJudge: async () => (batch < BATCHES ? [`due-${batch++}`] : []),
      loansToAnnounce: async () => toAnnounce,
      state: async () => ({ pools: new Map() }),
    },
    writer: {
      isWriting: true,
      execute: async ({ kind }: { kind: string }) => {
        steps.push(kind)
        if (kind === 'announce_loans') toAnnounce = []
      },
    },
    clock: { now: () => NOW },
    moneyPrices: createTestMoneyPrices(() => NOW),
    notices: {
      send: async (_tx: unknown, drafts: readonly { userId: string }[]) => void steps.push(drafts[0]!.userId),
    },
    parameters: { rules: async () => RULES, terms: async () => () => RULES },
    onError: (error: unknown) => {
      throw error
    },
  } as unknown as Parameters<typeof createLoanDesk>[0])
  return { desk, steps }
}

/**
 * @attack S02 While thousands of dust orders were due, the leader judged without end and announced nothing.
 * @holds A look announces after each batch that it judges, in bounded passes, so no number of due orders delays a notice.
 */
test('a look announces between the batches that it judges', async () => {
  const { desk, steps } = openDesk()
  await desk.check()
  expect(steps.slice(0, 4)).toEqual(['reprice_pools', 'judge_loans', 'victim', 'announce_loans'])
  expect(steps.filter((kind) => kind === 'judge_loans')).toHaveLength(BATCHES)
  await desk.stop()
})
