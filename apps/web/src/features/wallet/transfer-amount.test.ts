import { expect, test } from 'vitest'
import { amountProblem, mostToTransfer, networkFee } from './transfer-amount.ts'

const limits = { min_in: '10', max_in: '1000', decimals: 6 }
const M = 1_000_000n

test.each([
  ['', 500n * M, 'missing'],
  ['0', 500n * M, 'missing'],
  ['0.00', 500n * M, 'missing'],
  ['12.', 500n * M, 'invalid'],
  ['12.1234567', 500n * M, 'invalid'],
  ['9.999999', 500n * M, 'under_min'],
  ['10', 500n * M, undefined],
  ['500', 500n * M, undefined],
  ['500.000001', 500n * M, 'over_balance'],
  ['1000', undefined, undefined],
  ['1000.000001', undefined, 'over_max'],
  ['5', 1n * M, 'over_balance'],
])('%j with %s base units in the wallet: %s', (amount, balance, problem) => {
  expect(amountProblem(amount, limits, balance)).toBe(problem)
})

test('Max leaves twice the network fee of the native coin behind, and never goes over the maximum', () => {
  const bnb = { min_in: '0.01', max_in: '1000', decimals: 18 }
  const fee = networkFee({ native: true, approves: false }, 1_000_000_000n)
  expect(fee).toBe(50_000_000_000_000n)
  expect(mostToTransfer(10n ** 18n, bnb, fee)).toBe('0.9999')
  expect(mostToTransfer(fee, bnb, fee)).toBe('0')
  expect(mostToTransfer(5_000n * 10n ** 18n, bnb, fee)).toBe('1000')
  expect(mostToTransfer(500n * M, limits, 0n)).toBe('500')
})

test('a token costs an approval more, unless the vault may already take enough', () => {
  expect(networkFee({ native: false, approves: true }, 1n)).toBe(160_000n)
  expect(networkFee({ native: false, approves: false }, 1n)).toBe(100_000n)
})
