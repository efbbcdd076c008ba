import { Refusal } from '@clearwell/ledger/refusal'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOpenLoan, loans } from '../../domain/lending/lending.tables.ts'
import { combinePrices } from '../../domain/lending/loan-prices.ts'
import { type MoneyPrice, priceOfUsdt } from '../../platform/prices/money-prices.ts'
import { LendingLedger } from '../../testing/lending-ledger.ts'

const E18 = 10n ** 18n
const USERS = ['borrower', 'other', 'liquidator'] as const
/** The prices of each asset of the pair: `old` was fresh, and is too old when the command is decided. */
const STATES = ['fresh', 'apart', 'one_source', 'stale', 'unknown', 'old'] as const
type State = (typeof STATES)[number]

const anyState = fc.record({
  bnb: fc.constantFrom('fresh', 'fresh', ...STATES),
  usdt: fc.constantFrom('fresh', 'fresh', 'fresh', ...STATES),
})
const anyStep = fc.record({
  ...{ state: anyState, price: fc.bigInt({ min: 100n, max: 1_000n }), reading: fc.bigInt({ min: 50n, max: 2_000n }) },
  seconds: fc.integer({ min: 0, max: 86_400 }),
  command: fc.constantFrom('borrow', 'remove', 'liquidate', 'repay', 'add', 'pledge', 'withdraw'),
  user: fc.constantFrom(...USERS),
  order: fc.nat(9),
})
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never

function moneyPrice(state: State, { price, reading }: Pick<Step, 'price' | 'reading'>, now: Date): MoneyPrice {
  const priceE18 = price * E18
  if (state === 'fresh' || state === 'apart' || state === 'old') {
    const highE18 = state === 'apart' ? (priceE18 * 105n) / 100n : priceE18
    const goodUntil = new Date(now.getTime() + (state === 'old' ? -1 : 60_000))
    const kind = state === 'apart' ? state : 'fresh'
    return { state: kind, lowE18: priceE18, highE18, meanE18: (priceE18 + highE18) / 2n, time: now, goodUntil }
  }
  const single = { lowE18: reading * E18, highE18: reading * E18 }
  return { state, reading: state === 'stale' ? undefined : single, lastE18: priceE18, time: now }
}

/** A pool with six loans of two borrowers. */
function open(): LendingLedger {
  const ledger = new LendingLedger()
  ledger.join('pledger', ...USERS)
  for (const user of ['pledger', ...USERS]) {
    ledger.give(user, 'USDT', '10000000')
    ledger.give(user, 'BNB', '10000')
  }
  ledger.pledge('pledger', '1000000')
  for (const user of ['borrower', 'other'])
    for (const [amount, termDays] of [
      ['380', 7],
      ['250', 90],
      ['30', 180],
    ] as const)
      ledger.borrow(user, '1', amount, { termDays })
  return ledger
}

/** @returns whether the command was accepted, or the name of the refusal; `undefined` where no order is left for it. */
function attempt(ledger: LendingLedger, { command, user, order }: Step): 'done' | string | undefined {
  const open = ledger.rows(loans).filter(isOpenLoan)
  const row = open[order % Math.max(1, open.length)]
  if (!row && command !== 'borrow' && command !== 'pledge' && command !== 'withdraw') return undefined
  const [id, owner] = [row?.id ?? '', row?.user_id ?? '']
  try {
    const acts: Record<Step['command'], () => unknown> = {
      borrow: () => ledger.borrow(user, '5', '100'),
      remove: () => ledger.removeCollateral(owner, id, '0.001'),
      liquidate: () => ledger.liquidate('liquidator', id),
      repay: () => ledger.repay(owner, id, order % 2 === 0 ? 'all' : '10'),
      add: () => ledger.addCollateral(owner, id, '0.5'),
      pledge: () => ledger.pledge('pledger', '100'),
      withdraw: () => ledger.withdraw('pledger', '1'),
    }
    acts[command]()
    return 'done'
  } catch (error) {
    if (error instanceof Refusal) return error.refusal
    throw error
  }
}

/**
 * @attack A83 A command of the lending market in any order, while one of two assets has no two fresh sources.
 * @holds None borrows, takes collateral back or liquidates then (two sources up to 10% apart liquidate); repaying and adding always work.
 */
test('no sequence of commands needs a price that money does not have', () => {
  const seen = new Map<string, number>()
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 5, maxLength: 30 }), (steps) => {
      const ledger = open()
      const totals = [ledger.total('BNB'), ledger.total('USDT')]
      for (const step of steps) {
        ledger.advance(step.seconds)
        const { bnb, usdt } = step.state
        // The borrowed asset is one price of 1 with the same states.
        const one =
          usdt === 'fresh' ? priceOfUsdt(ledger.now) : moneyPrice(usdt, { price: 1n, reading: 1n }, ledger.now)
        ledger.prices = combinePrices(moneyPrice(bnb, step, ledger.now), one)
        const ids = ledger
          .rows(loans)
          .filter(isOpenLoan)
          .map(({ id }) => id)
        ledger.judge(...ids)
        const borrowed = ledger.pool().borrowed
        const outcome = attempt(ledger, step)
        if (outcome === undefined) continue
        const both = [bnb, usdt]
        const isUsable = both.every((state) => state === 'fresh' || state === 'apart')
        const isFresh = both.every((state) => state === 'fresh')
        if (step.command === 'borrow' || step.command === 'remove') {
          if (!isFresh) expect(outcome).not.toBe('done')
        } else if (step.command === 'liquidate') {
          if (!isUsable) expect(outcome).not.toBe('done')
        } else if (step.command === 'add') expect(outcome).toBe('done')
        else if (step.command === 'repay')
          expect(outcome === 'done' || (step.order % 2 === 1 && outcome === 'amount_out_of_range')).toBe(true)
        if (!isFresh) expect(ledger.pool().borrowed).toBeLessThanOrEqual(borrowed)
        expect([ledger.total('BNB'), ledger.total('USDT')]).toEqual(totals)
        const key = `${step.command} ${isFresh ? 'fresh' : isUsable ? 'apart' : 'none'} ${outcome}`
        seen.set(key, (seen.get(key) ?? 0) + 1)
      }
    }),
    { numRuns: 300 },
  )
  // The search reaches what it claims about.
  for (const key of ['borrow fresh done', 'remove fresh done', 'liquidate fresh done', 'liquidate apart done'])
    expect([key, (seen.get(key) ?? 0) > 0]).toEqual([key, true])
  for (const key of ['repay none done', 'add none done', 'withdraw none done', 'borrow none price_out_of_date'])
    expect([key, (seen.get(key) ?? 0) > 50]).toEqual([key, true])
})
