import { parseUnits } from '@clearwell/money/decimal'
import { afterEach, expect, test } from 'vitest'
import { showLocale } from '../../i18n/locale.ts'
import { markedRead, type Notice } from './notice.queries.ts'
import { noticeText } from './notice-text.ts'

afterEach(() => showLocale('zh-HK'))

const CREATED_AT = '2026-11-21T09:00:00.000Z'

function alertNotice(params: Partial<Notice['params']> = {}, id = '1', read = false): Notice {
  return {
    id,
    kind: 'price_alert',
    params: { symbol: 'BNBUSDT', direction: 'above', price: '700', price_seen: '701', ...params },
    link: '/markets/BNBUSDT',
    read,
    created_at: CREATED_AT,
  }
}

test('a price alert names market and exact price in both languages', () => {
  showLocale('en')
  const fell = { symbol: 'RTUSDT', direction: 'below', price: '0.000000000000000001' } as const
  expect(noticeText(alertNotice(fell)).title).toBe('RTUSDT fell to 0.000000000000000001 or below')
  showLocale('zh-HK')
  const rose = { direction: 'above', price: '12345.678901234567890123' } as const
  expect(noticeText(alertNotice(rose)).title).toBe('BNBUSDT 已升至 12,345.678901234567890123 或以上')
})

test('a reward is listed in the detail, under a short title', () => {
  showLocale('en')
  const reward = [
    { asset: 'BNB', amount: '0.00299144' },
    { asset: 'USDT', amount: '4.381115' },
  ]
  const notice = { ...alertNotice(), kind: 'box_claimable', params: { reward } } as unknown as Notice
  const { title, detail } = noticeText(notice)
  expect(title).toBe('Your blind box holds a reward')
  expect(detail).toMatch(/^0\.00299144 BNB and 4\.381115 USDT\. Claim within 30 days\. /)
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
  ['en', 'loan_reminder', { hours: 24 }, 'Your loan of 380 USDT is due in 24 h', 'Counted from 21 Nov 2026'],
] as const)('%s: the notice %s states the real figures', (locale, kind, params, title, detail) => {
  showLocale(locale)
  const text = noticeText({ ...alertNotice(), kind, params: { ...LOAN, ...params } } as unknown as Notice)
  expect(text.title).toBe(title)
  expect(text.detail.replaceAll('\u00a0', ' ')).toContain(detail)
})

test('a kind that this build does not know has a general text', () => {
  showLocale('en')
  const newer = { ...alertNotice(), kind: 'loan_due', params: {} } as unknown as Notice
  expect(noticeText(newer).title).toBe('Your account has an update')
})

/** The price that reached the alert, as the notice shows it. */
function seenIn({ price, price_seen }: { price: string; price_seen: string }): string {
  showLocale('en')
  return /^At (\S+), /.exec(noticeText(alertNotice({ price, price_seen })).detail)?.[1] ?? ''
}

test.each([
  ['632.66', '632.65606', '632.65'],
  ['632.66', '632.66', '632.66'],
  ['632.66', '632.669', '632.66'],
  ['632.6655', '632.66559', '632.6655'],
  ['632.6655', '632.6654', '632.6654'],
  ['3500', '3600.123456', '3,600.12'],
  ['0.10512', '0.105129999', '0.10512'],
])('an alert at %s that %s reached shows %s', (price, price_seen, text) => {
  expect(seenIn({ price, price_seen })).toBe(text)
})

test('the price shown never contradicts the alert it reached', () => {
  const prices = ['0.10511', '0.10512', '0.105125', '9.99', '10', '10.000001', '632.65', '632.66', '632.6655']
  const seen = prices.flatMap((price) => [price, `${price}${price.includes('.') ? '' : '.'}00000009`])
  const units = (text: string) => parseUnits(text.replaceAll(',', ''), 18) ?? -1n
  for (const price of prices)
    for (const price_seen of seen) {
      const shown = units(seenIn({ price, price_seen }))
      if (units(price_seen) >= units(price)) expect(shown).toBeGreaterThanOrEqual(units(price))
      if (units(price_seen) <= units(price)) expect(shown).toBeLessThanOrEqual(units(price))
    }
})

test('reading notices lowers the count once each, beyond the latest too', () => {
  const items = [alertNotice({}, '3'), alertNotice({}, '2'), alertNotice({}, '1', true)]
  const before = { items, next_cursor: 'x', unread: 7 }
  const one = markedRead(before, ['2'])
  expect(one.items.map(({ read }) => read)).toEqual([false, true, true])
  expect(one.unread).toBe(6)
  expect(markedRead(one, ['2', '1'])).toEqual(one)
  expect(markedRead(one, ['3', '-5']).unread).toBe(4)
  expect(markedRead({ ...before, unread: 0 }, ['3']).unread).toBe(0)
})
