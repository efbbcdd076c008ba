import { nativeAsset } from '@clearwell/vault/abi/withdrawal-typed-data'
import { expect, test } from 'vitest'
import { tokenOf, transferAssets } from './voucher.ts'

const USDT = { asset: 'USDT', address: `0x${'11'.repeat(20)}`, decimals: 18 } as const
const custody = { tokens: [USDT] }

test('a voucher names the token, and the zero address for BNB', () => {
  expect(tokenOf(custody, 'BNB')).toBe(nativeAsset)
  expect(tokenOf(custody, 'USDT')).toBe(USDT.address)
})

test('BNB is never paid in place of an asset without a token', () => {
  expect(() => tokenOf(custody, 'ETH')).toThrow('ETH has no token on this chain')
  expect(transferAssets(custody)).toEqual(['BNB', 'USDT'])
})
