import type { AssetId } from '@clearwell/money/asset'
import { describe, expect, test } from 'vitest'
import { pointsOf, summaryOf, usdtOwed, usdtValueOf } from './value.ts'

const NOW = new Date('2026-11-21T09:30:00.000Z')
const E18 = 10n ** 18n

describe('points', () => {
  test.each([
    ['day', 24, '2026-11-20T10:00:00.000Z', '2026-11-21T09:00:00.000Z'],
    // Six o'clock, noon, six and midnight in Hong Kong.
    ['week', 28, '2026-11-14T10:00:00.000Z', '2026-11-21T04:00:00.000Z'],
    // Midnight in Hong Kong.
    ['month', 30, '2026-10-22T16:00:00.000Z', '2026-11-20T16:00:00.000Z'],
    ['year', 52, '2025-11-26T16:00:00.000Z', '2026-11-18T16:00:00.000Z'],
  ] as const)('points of a %s are %d whole hours or days (Hong Kong)', (period, count, first, last) => {
    const points = pointsOf(period, NOW)
    expect([points.length, points[0]?.toISOString(), points.at(-1)?.toISOString()]).toEqual([count, first, last])
  })

  test('points never include the current time', () => {
    const points = pointsOf('day', new Date('2026-11-21T09:00:00.000Z'))
    expect([points.length, points.at(-1)?.toISOString()]).toEqual([24, '2026-11-21T08:00:00.000Z'])
  })
})

describe('values', () => {
  const held = (account: string, asset: AssetId, units: bigint) => ({ account: `user:0xa:${account}`, asset, units })

  test('values are rounded down per asset', () => {
    // 1 unit at 1.5 is 1; 3 units at 1.999… are 5.
    const prices = new Map<AssetId, bigint>([
      ['BNB', (E18 * 3n) / 2n],
      ['ETH', 2n * E18 - 1n],
    ])
    expect(usdtValueOf([held('available', 'BNB', 1n), held('locked', 'ETH', 3n)], prices)).toBe(6n)
  })

  test('debts are rounded up per asset, and unknown without a price', () => {
    // 1 unit at 1.5 is 2; 3 units at 1.999… are 6.
    const prices = new Map<AssetId, bigint>([
      ['BNB', (E18 * 3n) / 2n],
      ['ETH', 2n * E18 - 1n],
    ])
    const owed = [
      { asset: 'BNB', units: 1n },
      { asset: 'ETH', units: 3n },
    ] as const
    expect([usdtOwed([], prices), usdtOwed(owed, prices)]).toEqual([0n, 8n])
    expect(usdtOwed([...owed, { asset: 'RT', units: 1n }], prices)).toBeUndefined()
  })

  test('values of one asset are rounded once for all its accounts', () => {
    const prices = new Map<AssetId, bigint>([['BNB', E18 / 2n]])
    expect(usdtValueOf([held('available', 'BNB', 1n), held('locked', 'BNB', 1n)], prices)).toBe(1n)
  })

  test('values are unknown only if a held asset has no price', () => {
    const rows = [held('available', 'USDT', 5n * E18), held('rt_deposit', 'RT', 1n)]
    const summary = summaryOf(rows, new Map([['USDT', E18]]))
    expect(summary).toEqual({
      total_usdt: null,
      by_asset: [
        { asset: 'BNB', amount: '0', value_usdt: '0' },
        { asset: 'USDT', amount: '5', value_usdt: '5' },
        { asset: 'ETH', amount: '0', value_usdt: '0' },
        { asset: 'RT', amount: '0.000000000000000001', value_usdt: null },
      ],
      by_place: [
        { place: 'available', value_usdt: '5' },
        { place: 'locked', value_usdt: '0' },
        { place: 'pledged', value_usdt: '0' },
        { place: 'collateral', value_usdt: '0' },
        { place: 'rt_deposit', value_usdt: null },
      ],
    })
  })
})
