import { describe, expect, test } from 'vitest'
import {
  changeParts,
  filledParts,
  heldHistory,
  isNothing,
  sharesOf,
  shownAssets,
  unpricedAssets,
} from './summary-figures.ts'

const valuesOf = (...values: (string | null)[]) =>
  values.map((value_usdt, day) => ({ time: `2026-03-0${day + 1}T00:00:00.000Z`, value_usdt, net_usdt: value_usdt }))

describe('the parts of a change', () => {
  const performance = {
    since: '2026-03-01T00:00:00.000Z',
    start_usdt: '100',
    start_net_usdt: '100',
    transferred_in_usdt: '489.91',
    transferred_out_usdt: '40',
    activation_usdt: '10',
    borrowed_usdt: '0',
    change_usdt: '-0.000000000000000001',
    change: '0',
  }

  test('transfers out and fees are negative', () => {
    expect(changeParts(performance)).toEqual([
      { name: 'transferred_in', usdt: '489.91' },
      { name: 'transferred_out', usdt: '-40' },
      { name: 'activation', usdt: '-10' },
      { name: 'change', usdt: '-0.000000000000000001' },
    ])
  })

  test('zero parts disappear', () => {
    const none = { ...performance, transferred_out_usdt: '0', activation_usdt: '0', change_usdt: '0' }
    expect(changeParts(none).map(({ name }) => name)).toEqual(['transferred_in'])
  })
})

test.each([
  ['100.009', '40.001', '60.008', '100.01'],
  ['100', '40', '60', '100'],
  ['10', '40.001', '-30.001', '10'],
  ['10', null, null, undefined],
])('assets of %s and debts of %s make the net value shown', (total_usdt, owed_usdt, net_usdt, shown) => {
  expect(shownAssets({ total_usdt, owed_usdt, net_usdt })).toBe(shown)
})

test('the curve begins when the user first holds anything', () => {
  expect(heldHistory(valuesOf('0', null, '0', '5', '0', '7')).map(({ value_usdt }) => value_usdt)).toEqual([
    '5',
    '0',
    '7',
  ])
  expect(heldHistory(valuesOf('0', null))).toEqual([])
})

test('parts of zero disappear, unpriced amounts remain', () => {
  expect(
    filledParts([
      { amount: '0', value_usdt: '0' },
      { amount: '5', value_usdt: null },
      { amount: '0', value_usdt: null },
    ]),
  ).toEqual([{ amount: '5', value_usdt: null }])
  expect(filledParts([{ value_usdt: '0' }, { value_usdt: null }, { value_usdt: '1' }])).toHaveLength(2)
})

describe('shares', () => {
  test('computes shares of the priced total, largest first', () => {
    const shares = sharesOf([
      { name: 'RT', value_usdt: null },
      { name: 'BNB', value_usdt: '1' },
      { name: 'USDT', value_usdt: '2' },
    ])
    expect(shares.map(({ part, share }) => [part.name, share])).toEqual([
      ['USDT', '0.667'],
      ['BNB', '0.333'],
      ['RT', null],
    ])
  })

  test.each([
    { values: ['899.6', '100.4'], shares: ['0.9', '0.1'] },
    { values: ['89.95', '10.04', '0.01'], shares: ['0.9', '0.1', '0'] },
    { values: ['1', '1', '1', '1', '1', '1'], shares: ['0.167', '0.167', '0.167', '0.167', '0.166', '0.166'] },
  ])('shares of $values add up to one', ({ values, shares }) => {
    expect(sharesOf(values.map((value_usdt) => ({ value_usdt }))).map(({ share }) => share)).toEqual(shares)
  })

  test('shares of zero are zero', () => {
    expect(sharesOf([{ value_usdt: '0' }, { value_usdt: '0' }]).map(({ share }) => share)).toEqual(['0', '0'])
  })
})

describe('an account', () => {
  const asset = (name: 'BNB' | 'RT', amount: string, value_usdt: string | null) => ({ asset: name, amount, value_usdt })

  test('an account that never held anything is empty', () => {
    expect(isNothing({ by_asset: [asset('BNB', '0', null)], history: valuesOf(null, '0') })).toBe(true)
    expect(isNothing({ by_asset: [], history: [] })).toBe(true)
  })

  test('an account with an unpriced asset is not empty', () => {
    expect(isNothing({ by_asset: [asset('RT', '5', null)], history: valuesOf(null) })).toBe(false)
  })

  test('an account that transferred everything out keeps its history', () => {
    expect(isNothing({ by_asset: [asset('BNB', '0', '0')], history: valuesOf('10', '0') })).toBe(false)
  })

  test('names only held assets without a price', () => {
    expect(unpricedAssets({ by_asset: [asset('BNB', '0', null), asset('RT', '5', null)] })).toEqual(['RT'])
  })
})
