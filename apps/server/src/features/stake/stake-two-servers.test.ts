import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findLendingFaults } from '../../domain/lending/check-lending.ts'
import { newMember } from '../../testing/new-member.ts'
import { newKey, type TestServer } from '../../testing/server.ts'
import { canShareLedger, startTwoServers, type TwoServers } from '../../testing/two-servers.ts'

let servers: TwoServers
beforeAll(async () => {
  if (canShareLedger) servers = await startTwoServers()
}, 60_000)
afterAll(() => servers?.end())

test.runIf(canShareLedger)(
  'two servers race for one order and the last of a limit',
  async () => {
    const { writing, other } = servers
    const pledger = await newMember(writing, { USDT: '750' })
    await writing.ok('pledge', { asset: 'USDT', amount: '750' }, { token: pledger.token, key: newKey() })
    const borrower = await newMember(writing, { BNB: '3', USDT: '400' })
    const { token } = borrower
    await writing.ok('localPrice', { symbol: 'BNBUSDT', price: '600' })
    const terms = { collateral_asset: 'BNB', borrow_asset: 'USDT', term_days: 7 } as const
    const borrow = (server: TestServer) =>
      server.call('lend', { ...terms, collateral_amount: '1', borrow_amount: '149' }, { token, key: newKey() })

    // An account takes at most two fifths of the pool, 300: of three loans of 149, two.
    const first = (await borrow(writing)).data.order_id
    const loans = await Promise.all([borrow(writing), borrow(other)])
    expect(loans.map(({ code }) => code).toSorted()).toEqual([1, 20006])
    expect(loans.find(({ code }) => code === 20006)?.data).toMatchObject({ reason: 'account_cap' })
    await writing.ok('repay', { order_id: first, amount: 'all' }, { token, key: newKey() })
    const { order_id } = loans.find(({ code }) => code === 1)!.data

    // One order is repaid, cured and repaid again at the same moment, and one request is sent to both servers.
    const key = newKey()
    const repay = (server: TestServer, each = newKey()) =>
      server.call('repay', { order_id, amount: 'all' }, { token, key: each })
    const race = await Promise.all([
      repay(writing, key),
      repay(other, key),
      other.call('addCollateral', { order_id, amount: '1' }, { token, key: newKey() }),
      repay(other),
    ])
    const paid = race.filter(({ code, data }) => code === 1 && data.status === 1)
    expect(paid.length).toBeGreaterThanOrEqual(1)
    expect([race[0].code, race[1].code]).toEqual([race[0].code, race[0].code])
    expect(race[0].data).toEqual(race[1].data)
    for (const { code } of race) expect([1, 20010]).toContain(code)
    // All collateral is back and the debt was paid once.
    expect(await borrower.available('BNB')).toBe('3')
    expect(Number(await borrower.available('USDT'))).toBeCloseTo(400, 3)
    await expectBooksBalanced(other.db)

    // A pledge is withdrawn on both servers: once.
    const withdraw = (server: TestServer) =>
      server.call('unpledge', { asset: 'USDT', amount: '600' }, { token: pledger.token, key: newKey() })
    const withdrawals = await Promise.all([withdraw(writing), withdraw(other)])
    expect(withdrawals.map(({ code }) => code).toSorted()).toEqual([1, 20001])
    await expectBooksBalanced(other.db)
    expect(await findLendingFaults(other.db)).toEqual([])
  },
  60_000,
)
