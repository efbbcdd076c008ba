import { expect, test } from 'vitest'
import { barOf } from './stress-figures.ts'

const pool = (debt: string, shortfall = '0', paid_by_insurance = '0', lost_by_pledgers = '0') => ({
  asset: 'USDT' as const,
  loans: 1,
  debt,
  shortfall,
  insurance: '0',
  paid_by_insurance,
  lost_by_pledgers,
  pledgers_loss: '0',
})
const scenariosOf = (...pools: ReturnType<typeof pool>[]) => ({
  scenarios: pools.map((each) => ({
    asset: 'BNB' as const,
    change: '-0.3',
    price: '1',
    loans: 1,
    is_complete: true,
    pools: [each],
  })),
})

test('bars of one asset share the scale of its largest debt', () => {
  const [small, large] = [pool('250'), pool('1000', '300', '100', '200')]
  const all = scenariosOf(small, large)
  expect(barOf(small, all)).toEqual({ collateral: 250, insurance: 0, pledgers: 0 })
  expect(barOf(large, all)).toEqual({ collateral: 700, insurance: 100, pledgers: 200 })
})

test('a small loss is still seen, and no debt draws nothing', () => {
  const tiny = pool('1000', '0.001', '0', '0.001')
  expect(barOf(tiny, scenariosOf(tiny)).pledgers).toBe(8)
  expect(barOf(pool('0'), scenariosOf(pool('0')))).toEqual({ collateral: 0, insurance: 0, pledgers: 0 })
})
