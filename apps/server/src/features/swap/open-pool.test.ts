import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { beforeEach, describe, expect, test } from 'vitest'
import { poolAccount, TREASURY } from '../../platform/ledger/accounts.ts'
import { performAction } from '../../testing/perform-action.ts'
import { BNB_POOL, START } from '../../testing/swap-ledger.ts'
import { openPool } from './open-pool.ts'
import { openPoolByOperator } from './open-pool-by-operator.ts'
import { swapPools } from './swap.tables.ts'

const { id, base, quote, initialBase, initialQuote } = BNB_POOL

let ledger: MemoryLedger
beforeEach(() => {
  ledger = new MemoryLedger(START)
})

/** Deposits of the operator. */
function fund(baseUnits: bigint, quoteUnits: bigint): void {
  ledger.add(TREASURY, base, baseUnits)
  ledger.add(TREASURY, quote, quoteUnits)
}
const held = (account: string) => [ledger.balance(account, base), ledger.balance(account, quote)]

describe('opening a pool', () => {
  test('moves its exact initial liquidity out of the treasury', () => {
    fund(initialBase + 1n, initialQuote)
    expect(ledger.execute(openPool(BNB_POOL))).toEqual({ open: true, isNew: true })
    expect([held(TREASURY), held(poolAccount(id))]).toEqual([
      [1n, 0n],
      [initialBase, initialQuote],
    ])
    expect(ledger.row(swapPools, id)).toMatchObject({ base, quote, opened_at: START, suspended_at: null })
  })

  test.each([
    ['base', initialBase - 1n, initialQuote],
    ['quote', initialBase, initialQuote - 1n],
  ])('changes nothing while the treasury lacks one unit of the %s asset', (_side, baseUnits, quoteUnits) => {
    fund(baseUnits, quoteUnits)
    expect(ledger.execute(openPool(BNB_POOL))).toEqual({ open: false })
    expect([held(TREASURY), held(poolAccount(id))]).toEqual([
      [baseUnits, quoteUnits],
      [0n, 0n],
    ])
    expect(ledger.row(swapPools, id)).toBeUndefined()
  })

  test('happens once, however much the treasury holds', () => {
    fund(2n * initialBase, 2n * initialQuote)
    ledger.execute(openPool(BNB_POOL))
    expect(ledger.plan(openPool(BNB_POOL))).toEqual({ response: { open: true } })
  })
})

describe('opening a pool by the operator', () => {
  const open = () => {
    const amounts = { initialBase: String(initialBase), initialQuote: String(initialQuote) }
    return performAction(ledger, openPoolByOperator, { id, base, quote, ...amounts })
  }

  test('opens it with the liquidity that was named', () => {
    fund(initialBase, initialQuote)
    expect(open()).toEqual({ isDone: true, text: 'bnb-usdt is open.' })
    expect(held(poolAccount(id))).toEqual([initialBase, initialQuote])
  })

  test('says why it does nothing', () => {
    expect(open()).toEqual({ isDone: false, text: 'The treasury does not have the initial liquidity of bnb-usdt.' })
    fund(2n * initialBase, 2n * initialQuote)
    open()
    expect(open()).toEqual({ isDone: false, text: 'bnb-usdt is open already.' })
    expect(held(TREASURY)).toEqual([initialBase, initialQuote])
  })

  test('rejects an amount of zero and an unknown asset', () => {
    for (const wrong of [{ initialBase: '0' }, { base: 'DOGE' }]) {
      const payload = { id, base, quote, initialBase: '1', initialQuote: '1', ...wrong }
      expect(() => performAction(ledger, openPoolByOperator, payload)).toThrow(Object.keys(wrong)[0])
    }
  })
})
