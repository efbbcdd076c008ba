import { beforeEach, describe, expect, test } from 'vitest'
import { poolAccount, TREASURY } from '../../platform/ledger/accounts.ts'
import { performAction } from '../../testing/perform-action.ts'
import { BNB_POOL, SwapLedger, sell, units } from '../../testing/swap-ledger.ts'
import { changeLiquidity } from './change-liquidity.ts'

// The pool opens with 1,000 BNB and 600,000 USDT.
let ledger: SwapLedger
beforeEach(() => {
  ledger = new SwapLedger()
})

const change = (direction: 'add' | 'remove', base: bigint, pool = 'bnb-usdt') =>
  performAction(ledger, changeLiquidity, { pool, direction, base: String(base) })
const treasury = () => [ledger.balance(TREASURY, 'BNB'), ledger.balance(TREASURY, 'USDT')]

describe('adding liquidity', () => {
  test('takes both assets in the ratio of the reserves', () => {
    ledger.add(TREASURY, 'BNB', units('10'))
    ledger.add(TREASURY, 'USDT', units('6000'))
    expect(change('add', units('10'))).toEqual({ isDone: true, text: '10 BNB and 6000 USDT added to bnb-usdt.' })
    expect(ledger.reserves()).toEqual({ base: units('1010'), quote: units('606000') })
    expect(treasury()).toEqual([0n, 0n])
  })

  test('rounds the other asset up, in favour of the pool', () => {
    ledger.swap(sell('1'))
    const { base, quote } = ledger.reserves()
    ledger.add(TREASURY, 'BNB', 1n)
    ledger.add(TREASURY, 'USDT', 1_000n)
    expect(change('add', 1n)).toMatchObject({ isDone: true })
    // 1 × 599402.… ÷ 1000.9992 is 598.8….
    expect(ledger.reserves()).toEqual({ base: base + 1n, quote: quote + 599n })
  })

  test.each([
    ['BNB', units('9'), units('6000'), 'The treasury has only 9 BNB, and 10 are needed.'],
    ['USDT', units('10'), units('6000') - 1n, 'The treasury has only 5999.999999999999999999 USDT, and 6000'],
  ])('is not done while the treasury lacks %s', (_asset, bnb, usdt, text) => {
    ledger.add(TREASURY, 'BNB', bnb)
    ledger.add(TREASURY, 'USDT', usdt)
    const before = ledger.reserves()
    expect(change('add', units('10'))).toEqual({ isDone: false, text: expect.stringContaining(text) })
    expect([ledger.reserves(), treasury()]).toEqual([before, [bnb, usdt]])
  })
})

describe('removing liquidity', () => {
  test('returns both assets to the treasury', () => {
    expect(change('remove', units('10'))).toEqual({
      isDone: true,
      text: '10 BNB and 6000 USDT removed from bnb-usdt.',
    })
    expect(treasury()).toEqual([units('10'), units('6000')])
    expect(ledger.reserves()).toEqual({ base: units('990'), quote: units('594000') })
  })

  test('rounds the other asset down, in favour of the pool', () => {
    ledger.swap(sell('1'))
    const { base, quote } = ledger.reserves()
    expect(change('remove', 1n)).toMatchObject({ isDone: true })
    expect(ledger.reserves()).toEqual({ base: base - 1n, quote: quote - 598n })
  })

  test('leaves something of both assets, by one unit', () => {
    const all = { isDone: false, text: 'The pool has only 1000 BNB, and must keep some.' }
    expect(change('remove', units('1000'))).toEqual(all)
    expect(change('remove', units('1000') - 1n)).toMatchObject({ isDone: true })
    expect(ledger.reserves()).toEqual({ base: 1n, quote: 600n })
  })

  test('is not done where it would move nothing of the other asset', () => {
    const account = poolAccount(BNB_POOL.id)
    ledger.add(account, 'USDT', 1n - ledger.balance(account, 'USDT'))
    const small = { isDone: false, text: 'The amount is too small for the ratio of the pool.' }
    expect(change('remove', units('1'))).toEqual(small)
    expect(treasury()).toEqual([0n, 0n])
  })
})

test('an unknown pool is named', () => {
  expect(change('add', 1n, 'doge-usdt')).toEqual({ isDone: false, text: 'There is no open pool "doge-usdt".' })
})

test.each(['0', '01', '-1', '1x', 'x1', ''])('rejects the amount %j', (base) => {
  const payload = { pool: 'bnb-usdt', direction: 'add', base }
  expect(() => performAction(ledger, changeLiquidity, payload)).toThrow('base')
  expect(() => performAction(ledger, changeLiquidity, { ...payload, base: '1', quote: '1' })).toThrow('quote')
})
