import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { afterEach, expect, test } from 'vitest'
import words from './blind-box.words.ts'

afterEach(() => showLocale('zh-HK'))

test('a reward is listed in the detail, under a short title', () => {
  showLocale('en')
  const reward = [
    { asset: 'BNB', amount: '0.00299144' },
    { asset: 'USDT', amount: '4.381115' },
  ] as const
  const box = { box_id: 'b1', day: '2026-11-20', expires_at: '2026-12-20T16:00:00.000Z' }
  const { title, detail } = words.notices.box_claimable({ ...box, reward: [...reward] }, '21 Nov 2026, 17:00')
  expect(title).toBe('Your blind box reward is ready')
  expect(detail).toBe('0.00299144 BNB and 4.381115 USDT. Claim by 20 Dec 2026 16:00. Sent 21 Nov 2026, 17:00.')
})
