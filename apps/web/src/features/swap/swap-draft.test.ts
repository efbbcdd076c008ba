import { expect, test } from 'vitest'
import { BNB_POOL, RT_POOL } from './swap.samples.ts'
import { draftOn, EMPTY_DRAFT, exactSideOf, flipped, typedInto } from './swap-draft.ts'

test('typing on a side makes its amount exact', () => {
  const selling = typedInto(BNB_POOL, EMPTY_DRAFT, 'sell', '1')
  expect([selling.asset, exactSideOf(selling)]).toEqual(['BNB', 'in'])
  const buying = typedInto(BNB_POOL, selling, 'buy', '500')
  expect([buying.text, buying.asset, exactSideOf(buying)]).toEqual(['500', 'USDT', 'out'])
})

test('flipping keeps the typed amount with its asset and exact', () => {
  const turned = flipped(typedInto(BNB_POOL, EMPTY_DRAFT, 'sell', '1'))
  expect(turned).toEqual({ inverse: true, side: 'buy', text: '1', asset: 'BNB' })
  expect(draftOn(BNB_POOL, turned)).toBe(turned)
  expect(flipped(turned)).toMatchObject({ inverse: false, side: 'sell', text: '1' })
})

test('flipping an empty draft starts on the sell side', () => {
  expect(flipped({ ...EMPTY_DRAFT, side: 'buy' })).toMatchObject({ inverse: true, side: 'sell', text: '' })
})

test('another pair keeps the amount of the same asset only', () => {
  const inUsdt = typedInto(BNB_POOL, { ...EMPTY_DRAFT, inverse: true }, 'sell', '100')
  expect(draftOn(RT_POOL, inUsdt)).toBe(inUsdt)
  const inBnb = typedInto(BNB_POOL, EMPTY_DRAFT, 'sell', '1')
  expect(draftOn(RT_POOL, inBnb)).toMatchObject({ inverse: false, text: '' })
})
