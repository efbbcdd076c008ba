import { E18 } from '@clearwell/money/scale'
import { expect, test } from 'vitest'
import { settleShortfall, shareAdvance } from './settle-shortfall.ts'

const one = { lowE18: E18, highE18: E18 }
const prices = { USDT: one, BNB: { lowE18: 599n * E18, highE18: 601n * E18 } }

test.each([
  [10n, { insurance: 30n, treasury: 5n }, { insurance: 10n, treasury: 0n }],
  [10n, { insurance: 7n, treasury: 5n }, { insurance: 7n, treasury: 3n }],
  [10n, { insurance: 0n, treasury: 5n }, { insurance: 0n, treasury: 5n }],
])('insurance advances %s before the treasury, of %o', (missing, funds, shares) => {
  expect(shareAdvance(missing, funds)).toEqual(shares)
})

// By hand: one BNB settles 599 USDT, and a debt of one BNB costs 601 USDT.
test.each([
  [
    'the same asset first',
    'USDT',
    600n,
    { USDT: 500n, BNB: 9n },
    [
      ['USDT', 500n, 500n],
      ['BNB', 1n, 100n],
    ],
  ],
  ['the low price of what it gives', 'USDT', 1_198n, { BNB: 9n }, [['BNB', 2n, 1_198n]]],
  ['one more unit for a remainder', 'USDT', 1_199n, { BNB: 9n }, [['BNB', 3n, 1_199n]]],
  ['all it has where that is too little', 'USDT', 5_000n, { BNB: 2n }, [['BNB', 2n, 1_198n]]],
  ['the high price of what it owes', 'BNB', 2n, { USDT: 1_300n }, [['USDT', 1_202n, 2n]]],
  ['only as many units as settle something', 'BNB', 2n, { USDT: 1_000n }, [['USDT', 601n, 1n]]],
  ['nothing for less than one unit', 'BNB', 2n, { USDT: 600n }, []],
  ['no asset without a price', 'USDT', 100n, { ETH: 9n, RT: 9n, BNB: 1n }, [['BNB', 1n, 100n]]],
] as const)('an account gives %s', (_, asset, owed, has, returns) => {
  const own = Object.entries(has).map(([each, units]) => ({ asset: each as keyof typeof prices, units }))
  const decided = settleShortfall({ asset, owed, own, prices })
  expect(decided.map((each) => [each.asset, each.units, each.settles])).toEqual(returns)
})

test('only the same asset settles while a price is missing', () => {
  const own = [{ asset: 'USDT', units: 4n } as const, { asset: 'BNB', units: 9n } as const]
  const decided = settleShortfall({ asset: 'USDT', owed: 10n, own, prices: { USDT: one } })
  expect(decided).toEqual([{ asset: 'USDT', units: 4n, settles: 4n }])
})
