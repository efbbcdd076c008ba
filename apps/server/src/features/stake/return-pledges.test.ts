import { beforeEach, expect, test } from 'vitest'
import type { LeavingPledges } from '../../domain/lending/lending.store.ts'
import { pledgeReturns, pledges } from '../../domain/lending/lending.tables.ts'
import { lendingCash } from '../../domain/lending/lending-accounts.ts'
import type { PricedPair } from '../../domain/lending/pair-prices.ts'
import { lostPrices } from '../../domain/lending/testing/known-prices.ts'
import { exits } from '../../platform/ledger/leaving-accounts.ts'
import { createTestMoneyPrices } from '../../platform/prices/testing/money-prices.ts'
import { type LendingLedger, START, units } from '../../testing/lending-ledger.ts'
import { returnPledges, returnPledgesOfLeavers } from './return-pledges.ts'
import { newPledgedPool, refused } from './testing/pledged-pool.ts'

let ledger: LendingLedger
let order: string
beforeEach(() => {
  ledger = newPledgedPool()
  ledger.give('other', 'USDT', '1000')
  ledger.pledge('other', '1000')
  order = ledger.borrow('user', '10', '3900').order_id
})

function leave(...ids: string[]): void {
  for (const id of ids)
    ledger.put(exits, { id, state: 'open', exit_at: START, block: 1n, changed_at: START, owes: false, vault: null })
}
function returnTo(accounts: readonly string[], others = 0n, morePairs: readonly PricedPair[] = []): number {
  const pairs = [{ collateral: 'BNB', borrowed: 'USDT', prices: ledger.prices } as const, ...morePairs]
  return ledger.execute(returnPledges(ledger.rules, { asset: 'USDT', accounts, others, pairs }))
}
const waiting = () => Number(ledger.row(pledgeReturns, 'USDT')?.waiting ?? 0n) / 1e18
const cash = () => ledger.balance(lendingCash('USDT'), 'USDT')
const has = (user: string) => ledger.has(user, 'USDT')

test('an account that leaves gets its pledge as by its own withdrawal', () => {
  const own = newPledgedPool()
  own.give('other', 'USDT', '1000')
  own.pledge('other', '1000')
  own.borrow('user', '10', '3900')
  own.withdraw('other', 'all')
  leave('other')
  expect(returnTo(['other'])).toBe(1)
  expect(ledger.has('other', 'USDT')).toBe(own.has('other', 'USDT'))
  const row = (of: LendingLedger) => of.row(pledges, 'USDT:other')
  expect(row(ledger)).toEqual(row(own))
  expect([ledger.pool(), waiting()]).toEqual([own.pool(), 0])
})

test('cash goes to the oldest request and is not lent', () => {
  leave('pledger', 'other')
  expect(returnTo(['pledger', 'other'])).toBe(1)
  // The pool had 27,100 in cash. 2,900 of one pledge and 1,000 of the other are lent.
  expect([has('pledger'), has('other'), cash()]).toEqual([units('27100'), 0n, 0n])
  expect(waiting()).toBeCloseTo(3_900, 6)

  ledger.repay('user', order, '1500')
  ledger.join('late')
  ledger.give('late', 'BNB', '10')
  expect(refused(() => ledger.borrow('late', '10', '100'))).toEqual({ exceeds_lending_pool: { max: '0' } })
  expect(returnTo(['pledger', 'other'])).toBe(1)
  expect([has('pledger'), has('other')]).toEqual([units('28600'), 0n])

  ledger.repay('user', order, 'all')
  expect(returnTo(['pledger', 'other'])).toBe(2)
  expect(Number(has('pledger') + has('other')) / 1e18).toBeCloseTo(31_000, 3)
  expect(waiting()).toBe(0)
})

test('a part under the least pledge waits for more cash', () => {
  leave('pledger')
  returnTo(['pledger'])
  ledger.repay('user', order, '0.5')
  expect(returnTo(['pledger'])).toBe(0)
  expect(cash()).toBe(units('0.5'))
  // The least pledge is 1 USDT.
  ledger.repay('user', order, '0.5')
  expect(returnTo(['pledger'])).toBe(1)
  expect([has('pledger'), cash()]).toEqual([units('27101'), 0n])
})

test('a whole pledge under the least pledge is returned', () => {
  ledger.withdraw('other', '999.5')
  leave('other')
  expect(returnTo(['other'])).toBe(1)
  expect([has('other'), ledger.row(pledges, 'USDT:other')?.shares]).toEqual([units('1000'), 0n])
})

test('an exit that is cancelled leaves the cash to loans again', () => {
  leave('pledger')
  ledger.withdraw('other', '1')
  returnTo(['pledger'])
  expect(waiting()).toBeGreaterThan(0)
  ledger.put(exits, {
    id: 'pledger',
    state: 'closed',
    exit_at: START,
    block: 1n,
    changed_at: START,
    owes: false,
    vault: null,
  })
  ledger.repay('user', order, '1500')
  expect(returnTo(['pledger'])).toBe(0)
  expect([waiting(), cash()]).toEqual([0, units('1500')])
})

test('accounts beyond the limit of one command are waited for, too', () => {
  returnTo([], units('500') * 10n ** 6n)
  expect(waiting()).toBeCloseTo(500, 3)
  ledger.give('user', 'BNB', '10')
  ledger.withdraw('pledger', '26000')
  expect(refused(() => ledger.borrow('user', '10', '700'))).toMatchObject({ exceeds_lending_pool: {} })
})

test('a known loss meets a pledge that is returned', () => {
  ledger.setPrice('300')
  leave('other')
  returnTo(['other'])
  // 10 BNB at 300 ÷ 1.02 leave 958.82… of 3,900 unpaid: a thousand of 31,000 bear their part.
  expect(Number(has('other')) / 1e18).toBeCloseTo(1_000 - 958.823529 / 31, 4)
})

test('an account without an exit or a pledge changes nothing', () => {
  leave('user')
  expect(returnTo(['other', 'user'])).toBe(0)
  expect(ledger.executed.at(-1)?.plan).toEqual({ entries: [], rows: [], response: 0 })
})

test('without prices nothing is paid back at a guess', () => {
  leave('other')
  expect(returnTo(['other'], 0n, [{ collateral: 'ETH', borrowed: 'USDT', prices: lostPrices('unknown') }])).toBe(0)
  ledger.prices = lostPrices('stale', units('600'))
  expect(returnTo(['other'])).toBe(0)
  expect([has('other'), waiting()]).toEqual([0n, 0])
})

/** A drain on the ledger, whose search finds these pools. ETH is at 2,000. */
function openDrain(bnb: bigint, found: readonly LeavingPledges[]) {
  const moneyPrices = createTestMoneyPrices(() => ledger.now)
  moneyPrices.fresh('BNB', bnb)
  moneyPrices.fresh('ETH', 2_000n)
  const asked: unknown[] = []
  const drain = returnPledgesOfLeavers({
    store: {
      async leaving(since, limit) {
        asked.push({ since, limit })
        return [...found]
      },
    },
    writer: { execute: async (command) => ledger.execute(command) },
    clock: { now: () => ledger.now },
    moneyPrices,
    parameters: {
      async rules() {
        asked.push('rules')
        return ledger.rules
      },
    },
  })
  return { drain, asked }
}

test('the leader returns the pledges of a week’s exits, pool by pool', async () => {
  leave('other')
  const found = (['BNB', 'USDT'] as const).map((asset) => ({ asset, accounts: ['other'], others: 0n }))
  const { drain, asked } = openDrain(300n, found)
  await drain.drain()
  // The ledger is at 22 November.
  expect(asked).toEqual([{ since: new Date('2026-11-15T00:00:00Z'), limit: 50 }, 'rules'])
  expect(ledger.executed.slice(-2).map(({ plan }) => plan.response)).toEqual([0, 1])
  // With the known loss at 300, as above.
  expect(Number(has('other')) / 1e18).toBeCloseTo(1_000 - 958.823529 / 31, 4)
  expect([drain.name, drain.everyMs]).toEqual(['stake.return-pledges', 5_000])
})

test('the leader does nothing while no account leaves', async () => {
  const before = ledger.executed.length
  const { drain, asked } = openDrain(600n, [])
  await drain.drain()
  expect([asked.length, ledger.executed.length]).toEqual([1, before])
})
