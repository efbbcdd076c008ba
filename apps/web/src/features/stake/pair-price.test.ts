import { expect, test } from 'vitest'
import { pairPriceOf, USDT_PRICE } from './pair-price.ts'

const E18 = 10n ** 18n
const reading = (price: string, stale = false) => ({ price, stale })
const BNB = { price: '600', state: 'fresh', sources: [reading('594'), reading('606')] } as const

test('a pair has a better, a worse and a mean price', () => {
  expect(pairPriceOf(BNB, USDT_PRICE)).toEqual({
    state: 'fresh',
    sides: {
      better: { collateral: 606n * E18, borrowed: E18 },
      worse: { collateral: 594n * E18, borrowed: E18 },
      mean: { collateral: 600n * E18, borrowed: E18 },
    },
  })
})

test('the borrowed asset counts at the opposite side', () => {
  expect(pairPriceOf(USDT_PRICE, BNB).sides).toMatchObject({
    better: { collateral: E18, borrowed: 594n * E18 },
    worse: { collateral: E18, borrowed: 606n * E18 },
  })
})

test('a pair is as good as the worse of its prices', () => {
  const apart = { ...BNB, state: 'apart' } as const
  expect(pairPriceOf(apart, BNB).state).toBe('apart')
  expect(pairPriceOf({ ...BNB, state: 'one_source' }, apart)).toEqual({ state: 'one_source' })
  expect(pairPriceOf({ ...BNB, state: 'stale' }, { ...BNB, state: 'unknown' })).toEqual({ state: 'unknown' })
})

test('a stale source is left out', () => {
  const sources = [reading('600'), reading('1', true)]
  expect(pairPriceOf({ ...BNB, sources }, USDT_PRICE).sides?.worse.collateral).toBe(600n * E18)
})
