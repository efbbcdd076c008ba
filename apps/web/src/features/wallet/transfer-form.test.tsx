import { expect, test } from 'vitest'
import { notesIn } from '../../testing/facts.ts'
import { renderScreen } from '../../testing/render-screen.tsx'

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
