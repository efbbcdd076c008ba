import { QueryObserver } from '@tanstack/react-query'
import { parseEther } from 'viem'
import { expect, test, vi } from 'vitest'
import { queryClient } from '../api/query-client.ts'
import { chainUnits, refreshChainBalances } from './payment-assets.ts'

test("counts an amount in the token's own decimals", () => {
  expect(chainUnits('12.5', 18)).toBe(parseEther('12.5'))
  expect(chainUnits('12.5', 6)).toBe(12_500_000n)
  expect(chainUnits('12.1234567', 6)).toBe(12_123_456n)
})

test('drops balances that no screen shows and reads the shown one', async () => {
  const keyOf = (token: string) => ['chainBalance', { address: '0xa', token }]
  const [left, shown] = [keyOf('0x1'), keyOf('0x2')]
  const read = vi.fn().mockResolvedValueOnce(1n).mockResolvedValueOnce(2n)
  queryClient.setQueryData(left, 0n)
  const observer = new QueryObserver(queryClient, { queryKey: shown, queryFn: read })
  const leave = observer.subscribe(() => {})
  await vi.waitFor(() => expect(queryClient.getQueryData(shown)).toBe(1n))
  await refreshChainBalances()
  expect([queryClient.getQueryData(left), queryClient.getQueryData(shown)]).toEqual([undefined, 2n])
  leave()
})
