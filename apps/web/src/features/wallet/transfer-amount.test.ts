import { expect, test } from 'vitest'
import { amountProblem, mostToTransfer, networkFee } from './transfer-amount.ts'

const limits = { min: '10', max: '1000', decimals: 6 }
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

test('reports an amount above what the daily limits leave', () => {
  expect(amountProblem('300.000001', limits, 500n * M, 300n * M)).toBe('over_today')
  expect(amountProblem('300', limits, 500n * M, 300n * M)).toBeUndefined()
  expect(amountProblem('300', limits, 200n * M, 100n * M)).toBe('over_balance')
})

test('keeps twice the network fee of the native coin at Max', () => {
  const bnb = { min: '0.01', max: '1000', decimals: 18 }
  const fee = networkFee('native', 1_000_000_000n)
  expect(fee).toBe(35_000_000_000_000n)
  expect(mostToTransfer(10n ** 18n, bnb, fee)).toBe('0.99993')
  expect(mostToTransfer(fee, bnb, fee)).toBe('0')
  expect(mostToTransfer(5_000n * 10n ** 18n, bnb, fee)).toBe('1000')
  expect(mostToTransfer(500n * M, limits, 0n)).toBe('500')
})

test('estimates a higher fee for tokens, permits and approvals', () => {
  expect((['native', 'allowed', 'permit', 'approve'] as const).map((way) => networkFee(way, 2n))).toEqual([
    70_000n,
    160_000n,
    220_000n,
    270_000n,
  ])
})
