import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { afterEach, expect, test } from 'vitest'
import words from './wallet.words.ts'

afterEach(() => showLocale('zh-HK'))

const settled = (taken: string, covered: string) => {
  const params = { asset: 'USDT', amount: '70', taken, covered, tx_hash: '0x7' } as const
  const { title, detail } = words.notices.payout_settled(params)
  return [title, detail]
}

test.each([
  ['70', '0', 'Our records had lost it in a restore. 70 USDT left your balance.', '已從你的餘額扣除 70 USDT'],
  [
    '50',
    '20',
    'Our records had lost it in a restore. 50 USDT left your balance, and we paid 20 USDT.',
    '其餘 20 USDT 由我們承擔',
  ],
  [
    '0',
    '70',
    'Our records had lost it in a restore. We paid 70 USDT, and your balance did not change.',
    '你的餘額維持不變',
  ],
])('a settled payout says who paid: %s and %s', (taken, covered, english, chinese) => {
  showLocale('en')
  expect(settled(taken, covered)).toEqual(['Your transfer out of 70 USDT was booked', english])
  showLocale('zh-HK')
  expect(settled(taken, covered)).toEqual(['已補記你轉出的 70 USDT', expect.stringContaining(chinese)])
})
