import { describe, expect, test } from 'vitest'
import { changeOf, isNothing, sharesOf, unpricedAssets } from './summary-figures.ts'

const courseOf = (...values: (string | null)[]) =>
  values.map((value_usdt, day) => ({ time: `2026-03-0${day + 1}T00:00:00.000Z`, value_usdt }))

describe('the change over a period', () => {
  test.each([
    ['a rise', ['1000', '900', '1250.5'], { value: '250.5', fraction: '0.2505' }],
    ['a fall', ['1000', '750'], { value: '-250', fraction: '-0.25' }],
    ['no change', ['5', '7', '5'], { value: '0', fraction: '0' }],
    ['a rise from nothing has no percentage', ['0', '100'], { value: '100', fraction: undefined }],
    ['a fall to nothing is a whole one', ['100', '0'], { value: '-100', fraction: '-1' }],
    ['a third is cut, not rounded up', ['3', '5'], { value: '2', fraction: '0.666666666666666666' }],
    ['a falling third, too', ['3', '1'], { value: '-2', fraction: '-0.666666666666666666' }],
    [
      'what a floating-point number would lose is kept',
      ['123456789012345678.000000000000000001', '123456789012345678.000000000000000003'],
      { value: '0.000000000000000002', fraction: '0' },
    ],
  ])('%s', (_case, values, expected) => {
    expect(changeOf(courseOf(...values))).toEqual({ since: '2026-03-01T00:00:00.000Z', ...expected })
  })

  test('the change counts from the first value with a price', () => {
    expect(changeOf(courseOf(null, '10', null, '12'))).toEqual({
      since: '2026-03-02T00:00:00.000Z',
      value: '2',
      fraction: '0.2',
    })
  })

  test.each([
    ['no price now', courseOf('10', '12', null)],
    ['a single moment', courseOf('10')],
    ['a single price', courseOf(null, null, '10')],
    ['no prices', courseOf(null, null)],
    ['no history', []],
  ])('the change over a period is absent with %s', (_case, history) => {
    expect(changeOf(history)).toBeUndefined()
  })
})

describe('shares', () => {
  test('shares refer to the priced total, the greatest first', () => {
    const shares = sharesOf([
      { name: 'RT', value_usdt: null },
      { name: 'BNB', value_usdt: '1' },
      { name: 'USDT', value_usdt: '2' },
    ])
    expect(shares.map(({ part, share }) => [part.name, share])).toEqual([
      ['USDT', '0.666666666666666666'],
      ['BNB', '0.333333333333333333'],
      ['RT', null],
    ])
  })

  test('shares of zero are zero', () => {
    expect(sharesOf([{ value_usdt: '0' }, { value_usdt: '0' }]).map(({ share }) => share)).toEqual(['0', '0'])
  })
})

describe('an account', () => {
  const asset = (name: 'BNB' | 'RT', amount: string, value_usdt: string | null) => ({ asset: name, amount, value_usdt })

  test('an account that never held anything is empty', () => {
    expect(isNothing({ by_asset: [asset('BNB', '0', null)], history: courseOf(null, '0') })).toBe(true)
    expect(isNothing({ by_asset: [], history: [] })).toBe(true)
  })

  test('an account with an unpriced asset is not empty', () => {
    expect(isNothing({ by_asset: [asset('RT', '5', null)], history: courseOf(null) })).toBe(false)
  })

  test('an account that transferred everything out keeps its history', () => {
    expect(isNothing({ by_asset: [asset('BNB', '0', '0')], history: courseOf('10', '0') })).toBe(false)
  })

  test('names only held assets without a price', () => {
    expect(unpricedAssets({ by_asset: [asset('BNB', '0', null), asset('RT', '5', null)] })).toEqual(['RT'])
  })
})
