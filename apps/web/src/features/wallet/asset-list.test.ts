import { expect, test } from 'vitest'
import { addUp, byValue, inPositions, shownParts, sumPartValues, totalText } from './asset-list.tsx'

const none = { available: '0', locked: '0', pledged: '0', collateral: '0', owed: '0', owed_usdt: '0' }

test('sums the value of each part, rounded down, without unpriced assets', () => {
  const values = sumPartValues([
    {
      ...none,
      asset: 'BNB',
      available: '1',
      locked: '0.5',
      pledged: '0.25',
      collateral: '0.25',
      total: '2',
      value_usdt: '1240',
    },
    { ...none, asset: 'USDT', available: '1', locked: '2', total: '3', value_usdt: '0.000000000000000002' },
    { ...none, asset: 'ETH', total: '0', value_usdt: '0' },
    { ...none, asset: 'RT', available: '5', total: '5', value_usdt: null },
  ])
  expect(values).toEqual({ available: '620', locked: '310.000000000000000001', positions: '310', debt: '0' })
})

test('counts pledged and collateral as positions', () => {
  const balance = { ...none, asset: 'BNB' as const, pledged: '0.1', collateral: '0.2', total: '0.3', value_usdt: null }
  expect(inPositions(balance)).toBe('0.3')
})

test.each([
  // Dust of a pledge, and interest of seconds, are in neither figure.
  [{ available: '639.999998', pledged: '200.000006', total: '840.000004' }, ['640', '200', '840', 2]],
  [
    { available: '439.9', pledged: '199.999999999999999999', total: '639.899999999999999999' },
    ['439.9', '200', '639.9', 2],
  ],
  [{ available: '0.000484671', pledged: '12.3456', total: '12.346084671' }, ['0.000484', '12.3456', '12.346084', 6]],
  [{ available: '0.0000000000000001', pledged: '200', total: '200.0000000000000001' }, ['0', '200', '200', 6]],
  [{ available: '12345.678', pledged: '0.5', total: '12346.178' }, ['12345.67', '0.5', '12346.17', 2]],
])('the parts of %j in a list add up', (amounts, [available, positions, total, decimals]) => {
  const balance = { ...none, asset: 'USDT' as const, value_usdt: null, ...amounts }
  expect(shownParts(balance)).toEqual({ available, locked: '0', positions, total, decimals })
})

test.each([
  ['beside its parts', { available: '640', pledged: '200', total: '840' }, '840'],
  ['alone', { available: '640.5', total: '640.5' }, '640.5'],
])('a row of the list shows the total %s', { tags: ['§2.77'] }, (_, amounts, amount) => {
  const balance = { ...none, asset: 'USDT' as const, value_usdt: null, ...amounts }
  expect(totalText(balance)).toMatchObject({ amount })
})

test('lists the most valuable first, unpriced ones next, empty ones last', () => {
  const balance = (asset: 'BNB' | 'USDT' | 'ETH' | 'RT', total: string, value_usdt: string | null) => ({
    ...none,
    asset,
    available: total,
    total,
    value_usdt,
  })
  const sorted = byValue([
    balance('BNB', '0', '0'),
    balance('RT', '5', null),
    balance('ETH', '1', '900'),
    balance('USDT', '1000', '1000'),
  ])
  expect(sorted.map(({ asset }) => asset)).toEqual(['USDT', 'ETH', 'RT', 'BNB'])
})

test.each([
  // 60.005 + 30.005 + 10.005 is 100.015: the missing cent is in the largest part.
  [{ available: '60.005', locked: '30.005', positions: '10.005', debt: '0' }, ['60.01', '30', '10', '0']],
  // 100.009 - 40.001 is 60.008, shown as 60.00; the debt is rounded up.
  [{ available: '100.009', locked: '0', positions: '0', debt: '40.001' }, ['100.01', '0', '0', '40.01']],
  [{ available: '1', locked: '0', positions: '2', debt: '0' }, ['1', '0', '2', '0']],
  // Dust of a pledge and of a debt's first seconds.
  [
    { available: '440', locked: '0', positions: '199.999999999999999999', debt: '50.000000000000000001' },
    ['440', '0', '200', '50'],
  ],
])('the parts %j add up to the total', (values, [available, locked, positions, debt]) => {
  expect(addUp(values)).toEqual({ available, locked, positions, debt })
})
