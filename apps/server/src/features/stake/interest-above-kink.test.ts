import { beforeEach, expect, test } from 'vitest'
import { lendingCash, lendingReserve } from '../../domain/lending/lending-accounts.ts'
import { pledgeRate } from '../../domain/lending/pledge-values.ts'
import { INSURANCE } from '../../platform/ledger/accounts.ts'
import { LendingLedger, units } from '../../testing/lending-ledger.ts'

const DAY = 86_400
const YEAR = 365 * DAY
const OTHERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
const OWN = ['first', 'second']

let ledger: LendingLedger
beforeEach(() => {
  ledger = new LendingLedger()
  ledger.join('owner', 'pledger', 'liquidator', ...OTHERS, ...OWN)
  for (const user of ['owner', 'pledger', 'liquidator', ...OTHERS, ...OWN]) ledger.give(user, 'USDT', '1000000')
  for (const user of [...OTHERS, ...OWN]) ledger.give(user, 'BNB', '10000')
})

/** Takes a loan of a fifth of a pool of 30,000, the most of an order. */
const borrowFifth = (user: string, collateral = '20') => ledger.borrow(user, collateral, '6000').order_id
const usdt = (account: string) => Number(ledger.balance(account, 'USDT')) / 1e18

/** The exponent of all interest up to a time, and of its part up to the kink: 4.5 %, and a ramp of ten hours to 75 % more. */
function exponents(seconds: number): { all: number; below: number } {
  const below = (0.045 * seconds) / YEAR
  return { all: below + (0.75 * (seconds - 18_000)) / YEAR, below }
}

test('interest from above the kink goes to insurance when it is paid', () => {
  ledger.pledge('pledger', '30000')
  const [id = ''] = OTHERS.slice(0, 5).map((user) => borrowFifth(user))
  const cash = usdt(lendingCash('USDT'))
  ledger.advance(20 * DAY)
  const { all, below } = exponents(20 * DAY)
  ledger.repay('one', id, 'all')
  const [ofInsurance, ofReserve] = [usdt(INSURANCE), usdt(lendingReserve('USDT'))]
  expect(ofInsurance).toBeCloseTo(6_000 * (Math.exp(all) - Math.exp(below)), 6)
  expect(ofReserve).toBeCloseTo(600 * Math.expm1(below), 6)
  expect(usdt(lendingCash('USDT')) - cash).toBeCloseTo(6_000 * Math.exp(all) - ofInsurance - ofReserve, 9)
  // Nothing of it is the pledger's.
  expect(Number(ledger.withdraw('pledger', '1').actual_income)).toBeCloseTo(27_000 * Math.expm1(below), 6)
})

test('a liquidation pays insurance its part, less a loss', () => {
  ledger.pledge('pledger', '30000')
  const ids = OTHERS.slice(0, 5).map((user) => borrowFifth(user))
  const [id = '', other = ''] = ids
  ledger.advance(20 * DAY)
  const { all, below } = exponents(20 * DAY)
  const [debt, above] = [6_000 * Math.exp(all), 6_000 * (Math.exp(all) - Math.exp(below))]
  ledger.setPrice('330')
  ledger.judge(...ids)
  ledger.liquidate('liquidator', id)
  expect(usdt(INSURANCE)).toBeCloseTo(above, 6)
  // 20 × 310 ÷ 1.02 is above the principal and below the debt: insurance covers all, and gets its part of what arrived.
  ledger.setPrice('310')
  const arrived = (20 * 310) / 1.02
  expect([arrived > 6_000, arrived < debt]).toEqual([true, true])
  expect(Number(ledger.liquidate('liquidator', other).paid)).toBeCloseTo(arrived, 6)
  expect(usdt(INSURANCE)).toBeCloseTo(above + above - (debt - arrived), 6)
})

test('the pledge rate counts the rate up to the kink only', () => {
  ledger.pledge('pledger', '30000')
  for (const user of OTHERS.slice(0, 5)) borrowFifth(user)
  ledger.advance(DAY)
  ledger.pledge('owner', '1')
  const pool = ledger.pool()
  expect(pool.rate.aboveE18).toBeGreaterThan(7n * 10n ** 17n)
  // All is lent: 4.5 % less a tenth, of a little more than was pledged.
  expect(Number(pledgeRate(pool, 1_000n)) / 1e18).toBeCloseTo(0.0405, 4)
  expect(Number(pledgeRate(pool, 1_000n)) / 1e18).toBeLessThan(0.0405)
})

/** The owner of nearly all pledges, with two accounts that borrow, after three days in which eight others owe 400,000. */
function ownerAfter(own: readonly string[]): number {
  ledger.pledge('pledger', '100000')
  ledger.pledge('owner', '1000000')
  for (const user of OTHERS) ledger.borrow(user, '1000', '50000')
  const orders = OWN.flatMap((user) =>
    own.map((amount) => ({ user, id: ledger.borrow(user, '2000', amount).order_id })),
  )
  ledger.advance(3 * DAY)
  for (const { user, id } of orders) ledger.repay(user, id, 'all')
  const { total_pledged: pledged } = ledger.withdraw('owner', '1')
  return Number(pledged) + [...OWN, 'owner'].reduce((sum, user) => sum + Number(ledger.has(user, 'USDT')) / 1e18, 0)
}

/**
 * @attack R15 The owner of nearly all pledges borrowed the rest of the pool with other accounts, and others paid up to 122 USDT more.
 * @holds Interest from above the kink goes to insurance, so borrowing the own pool costs its owner more than others pay.
 */
test('borrowing the rest of the own pool with other accounts loses money', () => {
  const calm = ownerAfter([])
  ledger = new LendingLedger()
  ledger.join('owner', 'pledger', ...OTHERS, ...OWN)
  for (const user of ['owner', 'pledger', ...OTHERS, ...OWN]) ledger.give(user, 'USDT', '1000000')
  for (const user of [...OTHERS, ...OWN]) ledger.give(user, 'BNB', '10000')
  expect(ownerAfter(['200000', '150000'])).toBeLessThan(calm - 1_000)
})

test('every unit of a payment arrives in one of the three accounts', () => {
  ledger.pledge('pledger', '30000')
  const [id = ''] = OTHERS.slice(0, 5).map((user) => borrowFifth(user))
  const total = ledger.total('USDT')
  for (let day = 0; day < 20; day++) {
    ledger.advance(DAY)
    ledger.repay('one', id, '0.000000000000000007')
    expect(ledger.total('USDT')).toBe(total)
  }
  expect(ledger.balance(INSURANCE, 'USDT')).toBeGreaterThan(units('0.0000000000000001'))
})
