import { expect, test } from 'vitest'
import { vaultRevert } from './vault-revert.ts'

const expired = '0x3bd4ab410000000000000000000000000000000000000000000000000000000000000001'

test.each([
  ['by its name in words', new Error('execution reverted: VoucherExpired(1, 2)'), 'VoucherExpired'],
  ['by four bytes in words', new Error('execution reverted: custom error 0x3bd4ab41: 00'), 'VoucherExpired'],
  ['by its data', Object.assign(new Error('execution reverted'), { data: expired }), 'VoucherExpired'],
  [
    'by data within data',
    Object.assign(new Error('x'), { data: { originalError: {}, data: expired } }),
    'VoucherExpired',
  ],
  ['in what caused the error', new Error('x', { cause: { details: 'NonceUsed(7)' } }), 'NonceUsed'],
  ['as no other of a longer name', new Error('ERC721NonceUsedTwice'), undefined],
  ['not at all', new Error('execution reverted'), undefined],
] as const)('recognizes an error %s', (_name, error, revert) => {
  expect(vaultRevert(error)).toBe(revert)
})
