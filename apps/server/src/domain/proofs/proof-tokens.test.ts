import { expect, test } from 'vitest'
import { proofTokens } from './proof-tokens.ts'

const USDT = `0x${'55'.repeat(20)}` as const

test('an asset is its token’s address, or its name', () => {
  expect(proofTokens({ tokens: [{ asset: 'USDT', address: USDT, decimals: 18 }] })).toEqual({
    BNB: '0x0000000000000000000000000000000000000000',
    USDT,
    ETH: '0x0000000000000000000000000000000000455448',
    RT: '0x0000000000000000000000000000000000005254',
  })
})
