import { parseEther } from 'viem'
import { expect, test } from 'vitest'
import { chainUnits } from './payment-assets.ts'

test("counts an amount in the token's own decimals", () => {
  expect(chainUnits('12.5', 18)).toBe(parseEther('12.5'))
  expect(chainUnits('12.5', 6)).toBe(12_500_000n)
  expect(chainUnits('12.1234567', 6)).toBe(12_123_456n)
})
