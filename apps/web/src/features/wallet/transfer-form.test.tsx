import { expect, test } from 'vitest'
import { textOf } from '../../testing/facts.ts'
import { renderScreen } from '../../testing/render-screen.tsx'

test.each([
  ['/en/wallet/buy', 'At least 0.01 USDT'],
  ['/wallet/buy', '最少 0.01 USDT'],
  ['/en/wallet/sell', 'At least 0.01 USDT'],
  ['/wallet/sell', '最少 0.01 USDT'],
])('%s names the least amount while typing', async (path, words) => {
  const typed = (amount: string) => renderScreen(`${path}?asset=USDT&amount=%22${amount}%22`, { user: {} })
  const html = await typed('0.005')
  expect(textOf(html)).toContain(words)
  expect(html).not.toContain('aria-invalid')
  expect(textOf(await typed('10'))).not.toContain(words)
})
