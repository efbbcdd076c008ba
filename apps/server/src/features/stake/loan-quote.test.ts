import { amountOf } from '@clearwell/money/amount'
import { RAY } from '@clearwell/rules/borrow-index'
import { beforeEach, describe, expect, test } from 'vitest'
import { usableAt } from '../../domain/lending/loan-prices.ts'
import { type LendingLedger, units } from '../../testing/lending-ledger.ts'
import { quoteLoan } from './loan-quote.ts'
import { newPledgedPool, refused } from './testing/pledged-pool.ts'

let ledger: LendingLedger
beforeEach(() => {
  ledger = newPledgedPool()
})

describe('a quote', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('is the loan that is then opened, to the unit (%i)', (seed) => {
    const collateral = amountOf(`${seed}.0${seed}7`, 'BNB')
    const borrowed = amountOf(`${10 + seed * 113}.0000${seed}`, 'USDT')
    ledger.give('user', 'BNB', '100')
    ledger.borrow('user', '1', '77')
    ledger.advance(seed * 977)
    ledger.setPrice(`${580 + seed * 7}.${seed}31`)
    const prices = usableAt(ledger.prices, ledger.now)!
    const poolRules = ledger.rules.pools.find(({ asset }) => asset === 'USDT')!
    const owed = units('77')
    const market = { poolRules, rules: ledger.rules, pool: ledger.pool(), owed, indexThenE27: RAY, now: ledger.now }
    const assets = { collateral_asset: 'BNB', borrow_asset: 'USDT' } as const
    const quoted = quoteLoan(market, { ...assets, collateral, borrow: borrowed, termDays: 30, prices })
    const opened = ledger.borrow('user', '1', '1', { collateral, borrow: borrowed })
    const { rate, ltv, liquidation_price, repayment_time } = quoted
    expect(opened).toMatchObject({ rate, ltv, liquidation_price, repayment_time })
    // A unit more than the quoted maximum is refused.
    const most = amountOf(quoted.max_borrow ?? '', 'USDT')
    const more = { asset: most.asset, units: most.units + 1n }
    expect(refused(() => ledger.borrow('user', '1', '1', { collateral, borrow: more }))).toHaveProperty(
      'amount_out_of_range',
    )
  })
})
