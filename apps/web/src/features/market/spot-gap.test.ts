import { expect, test } from 'vitest'
import { spotGap } from './spot-gap.ts'

// By hand: 620 over 600 is a thirtieth, 594 under 600 a hundredth.
test.each([
  ['620', '600', '0.033333333333333333'],
  ['594', '600', '-0.01'],
  ['0.1', '0.1', '0'],
])('a pool at %s with spot at %s is %s away', (pool, spot, gap) => {
  expect(spotGap(pool, spot)).toBe(gap)
})

test('without a spot price there is nothing to compare with', () => {
  expect(spotGap('620', '0')).toBeUndefined()
  expect(spotGap('620', '')).toBeUndefined()
})
