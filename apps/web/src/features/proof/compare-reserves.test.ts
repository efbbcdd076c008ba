import { expect, test } from 'vitest'
import type { VaultReading } from '../../wallet/read-vault.ts'
import { compareAssets, judge } from './compare-reserves.ts'
import { type Reserves, stateOf } from './proof.queries.ts'

const RESERVES: Reserves = {
  assets: [
    { asset: 'USDT', vault: '100.5', owed: '100', difference: '0.5' },
    { asset: 'BNB', vault: '5', owed: '5', difference: '0' },
  ],
  block_number: 7,
  block_hash: '0xb10c',
  block_time: '2030-01-01T00:00:00.000Z',
  ledger_seq: 12,
  entry_hash: 'e1',
  checked_at: '2030-01-01T00:00:10.000Z',
  age_seconds: 3,
  healthy: true,
  fault: null,
}
const READING: VaultReading = { blockHash: '0xb10c', readAt: 7, balances: { USDT: '100.5', BNB: '5' } }

test.each([
  ['confirmed', {}],
  ['other_balances', { balances: { USDT: '100.5', BNB: '4.999999999999999999' } }],
  ['other_balances', { balances: { USDT: '100.5', BNB: '6' } }],
  ['other_balances', { balances: { USDT: '100.5' } }],
  ['other_block', { blockHash: '0xdead' }],
  ['other_block', { blockHash: '0xdead', readAt: 9 }],
  ['later', { readAt: 9 }],
  ['later', { blockHash: null, readAt: 9 }],
  ['behind', { blockHash: null, readAt: 6 }],
] as const)('a reading is %s: %o', (verdict, changes) => {
  expect(judge(RESERVES, { ...READING, ...changes } as VaultReading)).toBe(verdict)
})

test('a reading that agrees does not confirm a shortfall', () => {
  const [usdt] = RESERVES.assets
  const short = { ...RESERVES, assets: [{ ...(usdt as (typeof RESERVES.assets)[number]), owed: '100.6' }] }
  expect(judge(short, READING)).toBe('short')
  expect(judge({ ...RESERVES, assets: [] }, READING)).toBe('short')
})

test('figures are compared to the last unit', () => {
  const read = { ...READING, balances: { USDT: '100.500000000000000001', BNB: '5.0' } }
  expect(compareAssets(RESERVES, read)).toMatchObject([
    { asset: 'USDT', apart: 1n, surplus: 5n * 10n ** 17n },
    { asset: 'BNB', apart: 0n, surplus: 0n },
  ])
  expect(compareAssets(RESERVES, undefined)[0]).toMatchObject({ read: undefined, apart: 0n })
})

test('an old or missing comparison is not called backed', () => {
  expect(stateOf(RESERVES)).toBe('backed')
  expect(stateOf({ ...RESERVES, healthy: null })).toBe('old')
  expect(stateOf({ ...RESERVES, healthy: null, fault: 'missing' })).toBe('missing')
  expect(stateOf({ ...RESERVES, healthy: false, fault: 'ledger' })).toBe('ledger')
  expect(stateOf({ ...RESERVES, block_number: null, healthy: null })).toBe('unchecked')
})
