import type { ResponseOf } from '@clearwell/api/routes'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { testConfig } from '../../testing/config.ts'
import { notesIn, textOf } from '../../testing/facts.ts'
import { renderScreen, responseTo } from '../../testing/render-screen.tsx'
import { chainAssets } from '../../vault-payment/payment-assets.ts'
import { FeeText } from './transfer-form.tsx'

test.each([
  ['/en/wallet/buy', 'Amount: At least 0.01 USDT'],
  ['/wallet/buy', '數量: 最少 0.01 USDT'],
  ['/en/wallet/sell', 'Amount: At least 0.01 USDT'],
  ['/wallet/sell', '數量: 最少 0.01 USDT'],
])('%s names the least amount while typing', async (path, note) => {
  const typed = (amount: string) => renderScreen(`${path}?asset=USDT&amount=%22${amount}%22`, { user: {} })
  const html = await typed('0.005')
  expect(notesIn(html)).toContain(note)
  expect(html).not.toContain('aria-invalid')
  expect(notesIn(await typed('10'))).not.toContain(note)
})

test.each([
  ['620', '0.0001 BNB ≈ 0.07 USDT'],
  ['0.5', '0.0001 BNB ≈ 0.01 USDT'],
])('a network fee has its value, rounded up, at %s USDT', (price, shown) => {
  const pair: Partial<ResponseOf<'pairs'>[number]> = { base: 'BNB', quote: 'USDT', price }
  const { queryKey, data } = responseTo('pairs', {}, [pair as ResponseOf<'pairs'>[number]])
  queryClient.setQueryData(queryKey, data)
  const html = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <FeeText fee={100_000_000_000_000n} native={chainAssets(testConfig()).native} />
    </QueryClientProvider>,
  )
  expect(textOf(html)).toBe(shown)
})
