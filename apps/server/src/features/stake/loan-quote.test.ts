import { amountOf } from '@clearwell/money/amount'
import { RAY } from '@clearwell/rules/borrow-index'
import { beforeEach, describe, expect, test } from 'vitest'
import { usableAt } from '../../domain/lending/loan-prices.ts'
import { stakeConfig, stakeRules } from '../../domain/lending/stake-config.ts'
import { pricesBetween } from '../../domain/lending/testing/known-prices.ts'
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

/**
 * A pool of 10,000 USDT, 1,000 of them lent, with 2 % left from above the kink and an index that grew by a quarter in 30 days. Its kink
 * is at 80 %, with 4.5 % up to it and 75 % above. A BNB is 500 at the worse price.
 */
describe('a quote by hand', () => {
  const NOW = new Date('2026-11-22T00:00:00.750Z')
  const PRICES = pricesBetween(new Date('2026-11-21T23:59:30Z'), units('500'), units('600'))
  const rules = stakeRules({ stake: stakeConfig.shape.stake.parse(undefined) })
  const quote = (cash: string, collateral: string | undefined, borrow: string | undefined) => {
    const debts = {
      borrowed: units('1000'),
      debtShares: units('1000'),
      indexE27: RAY,
      belowDebtE27: units('1000') * RAY,
    }
    const rate = { belowE18: units('0.045'), aboveE18: units('0.02'), targetE18: units('0.75'), speedE18: 1n }
    const pool = { ...debts, cash: units(cash), accruedAt: 0n, shares: 0n, rate }
    const moment = {
      poolRules: rules.pools[0]!,
      rules,
      pool,
      owed: units('2500'),
      indexThenE27: (RAY * 4n) / 5n,
      now: NOW,
    }
    return quoteLoan(moment, {
      collateral: collateral === undefined ? undefined : amountOf(collateral, 'BNB'),
      borrow: borrow === undefined ? undefined : amountOf(borrow, 'USDT'),
      ...{ collateral_asset: 'BNB', borrow_asset: 'USDT', termDays: 30, prices: PRICES },
    })
  }
  const times = { repayment_time: '2026-12-22T00:00:00.000Z', price_time: '2026-11-21T23:59:30.000Z' }
  // 8,200 of 10,000 are lent: a tenth of the part above the kink.
  const rates = { rate: '0.065', rate_target: '0.12' }
  // 7,200 ÷ (500 × 65 %), rounded up; a fifth is a quarter of four fifths; 7,200 × (e^(6.5 % × 30 ÷ 365) − 1), rounded up.
  const ofBorrow = {
    min_collateral: '22.153846153846153847',
    interest_last_30_days: '1800',
    interest_at_term: '38.568687635693538049',
  }
  const noBorrow = { min_collateral: null, interest_last_30_days: null, interest_at_term: null }
  // 7,200 ÷ (10 × 500); and 7,200 ÷ (10 × 83 %), rounded down.
  const ofBoth = { ltv: '1.44', liquidation_price: '867.469879518072289156' }
  const notBoth = { ltv: null, liquidation_price: null }

  test('has every figure of a loan', () => {
    // Two fifths of the pool are the account's most, less the 2,500 that it owes. That is less than a fifth and than 65 % of 5,000.
    expect(quote('9000', '10', '7200')).toEqual({ ...times, ...rates, ...ofBorrow, ...ofBoth, max_borrow: '1500' })
  })

  test('has what is known with one amount', () => {
    expect(quote('9000', undefined, '7200')).toEqual({ ...times, ...rates, ...ofBorrow, ...notBoth, max_borrow: null })
    // The least loan of 10 USDT makes 10.1 % lent: 4.5 % × 10.1 ÷ 80, and the 2 % from above the kink on their way to none.
    const ofLeast = { rate: '0.02568125', rate_target: '0.00568125' }
    // 65 % of 2 × 500.
    expect(quote('9000', '2', undefined)).toEqual({ ...times, ...ofLeast, ...noBorrow, ...notBoth, max_borrow: '650' })
    const neither = { ...times, ...ofLeast, ...noBorrow, ...notBoth, max_borrow: null }
    expect(quote('9000', undefined, undefined)).toEqual(neither)
  })

  test('has no ratio without collateral', () => {
    expect(quote('9000', '0', '7200')).toMatchObject({ ...ofBorrow, ...notBoth, max_borrow: '0' })
  })

  test('lends nothing from an empty pool, at the rate it has', () => {
    const ofNone = { max_borrow: '0', rate: '0.065', rate_target: '0.795', ltv: '0', liquidation_price: '0' }
    expect(quote('0', '10', '7200')).toEqual({ ...times, ...ofBorrow, ...ofNone })
  })
})
