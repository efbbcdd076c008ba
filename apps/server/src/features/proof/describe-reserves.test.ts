import { expect, test } from 'vitest'
import { describeReserves } from './describe-reserves.ts'

const AT = new Date('2026-11-21T09:00:00Z')
const CHECK = {
  checkedAt: AT,
  block: { number: 7n, hash: '0xb10c', time: new Date('2026-11-21T08:59:50Z') },
  entry: { seq: 12n, hash: 'e1' },
  figures: [{ asset: 'USDT', vault: 5_000_000_000_000_000_003n, owed: 5_000_000_000_000_000_000n }],
  fault: undefined,
} as const

const describeAfter = (seconds: number, check: Parameters<typeof describeReserves>[0] = CHECK) =>
  describeReserves(check, { now: new Date(AT.getTime() + seconds * 1_000), maxAgeMs: 300_000 })

test('an old check keeps its figures but says nothing about health', () => {
  expect(describeAfter(300)).toEqual({
    assets: [{ asset: 'USDT', vault: '5.000000000000000003', owed: '5', difference: '0.000000000000000003' }],
    block_number: 7,
    block_hash: '0xb10c',
    block_time: '2026-11-21T08:59:50.000Z',
    ledger_seq: 12,
    entry_hash: 'e1',
    checked_at: '2026-11-21T09:00:00.000Z',
    age_seconds: 300,
    healthy: true,
    fault: null,
  })
  expect(describeAfter(301)).toMatchObject({ healthy: null, age_seconds: 301, block_number: 7 })
})

test('a failed check names its fault', () => {
  expect(describeAfter(1, { ...CHECK, fault: 'missing' })).toMatchObject({ healthy: false, fault: 'missing' })
  expect(describeAfter(1, { ...CHECK, figures: [], fault: 'ledger' })).toMatchObject({ assets: [], healthy: false })
})

test('every field is null before the first check', () => {
  const { assets, ...fields } = describeReserves(undefined, { now: AT, maxAgeMs: 300_000 })
  expect(assets).toEqual([])
  expect(Object.values(fields)).toEqual(Array.from({ length: 9 }, () => null))
})
