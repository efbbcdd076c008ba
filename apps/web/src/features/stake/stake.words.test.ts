import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import words from './stake.words.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  showLocale('zh-HK')
})

const LOAN = { order_id: 'o1', asset: 'USDT', borrowed: '380' }

test.each([
  [
    'en',
    'loan_warning',
    { percent: 70, ltv: '0.7123' },
    'Your loan of 380 USDT has reached 70% LTV',
    'Your LTV was 71.23%.',
  ],
  [
    'zh-HK',
    'loan_warning',
    { percent: 70, ltv: '0.7123' },
    '你的 380 USDT 借貸，借貸比率已達 70%',
    '當時借貸比率為 71.23%',
  ],
  [
    'en',
    'loan_rate_doubled',
    { rate: '0.09', opened_rate: '0.04' },
    'The rate of your 380 USDT loan has doubled',
    'It is now 9% a year, from 4% at opening.',
  ],
  [
    'zh-HK',
    'loan_rate_doubled',
    { rate: '0.09', opened_rate: '0.04' },
    '你的 380 USDT 借貸利率已倍增',
    '年利率由借入時的 4% 升至 9%。',
  ],
  [
    'en',
    'loan_part_liquidated',
    {},
    'A part of your loan was liquidated, 380 USDT is left',
    'The receipt shows each step.',
  ],
  ['zh-HK', 'loan_part_liquidated', {}, '你的借貸已被清算一部分，尚欠本金 380 USDT', '收據列明每一步計算。'],
  [
    'en',
    'loan_reminder',
    { hours: 24, due_at: '2026-11-22T08:59:00.000Z' },
    'Your loan of 380 USDT is due on 22 Nov 2026 08:59',
    'Repay by then to keep your collateral. Sent 21 Nov 2026, 17:00.',
  ],
  [
    'zh-HK',
    'loan_reminder',
    { hours: 24, due_at: '2026-11-22T08:59:00.000Z' },
    '你的 380 USDT 借貸將於 2026年11月22日 08:59 到期',
    '21 Nov 2026, 17:00 發送。',
  ],
  ['en', 'loan_reminder', { hours: 24 }, 'Your loan of 380 USDT is due soon', 'Repay by then'],
] as const)('%s: the notice %s states the real figures', (locale, kind, params, title, detail) => {
  showLocale(locale)
  vi.setSystemTime('2026-11-21T17:00:00.000Z')
  const text = words.notices[kind]({ ...LOAN, ...params } as never, '21 Nov 2026, 17:00')
  expect(text.title).toBe(title)
  expect(text.detail).toContain(detail)
})

test.each([
  [
    'en',
    'Reminder: loan of 380 USDT, due 22 Nov 2026 08:59',
    'Sent 21 Nov 2026, 17:00. That repayment time has passed',
  ],
  ['zh-HK', '還款提醒：你的 380 USDT 借貸，還款時間 2026年11月22日 08:59', '還款時間已過，請查看借貸訂單的最新狀態。'],
] as const)('%s: a reminder read late speaks as of its sending', (locale, title, detail) => {
  showLocale(locale)
  vi.setSystemTime('2026-11-22T08:59:00.000Z')
  const late = { ...LOAN, hours: 24, due_at: '2026-11-22T08:59:00.000Z' }
  const text = words.notices.loan_reminder(late as never, '21 Nov 2026, 17:00')
  expect([text.title, text.detail]).toEqual([title, expect.stringContaining(detail)])
  expect(text.title).not.toMatch(/was due|已到期|已於/)
})
