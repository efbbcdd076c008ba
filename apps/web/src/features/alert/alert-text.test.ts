import { parseUnits } from '@clearwell/money/decimal'
import { afterEach, describe, expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { showLocale } from '../../i18n/locale.ts'
import { read } from './alert.queries.ts'
import { alertText, noticeText, refusalText, seenText } from './alert-text.ts'

afterEach(() => showLocale('zh-HK'))

const above = { symbol: 'BNBUSDT', direction: 'above', price: '12345.678901234567890123' } as const
const below = { symbol: 'RTUSDT', direction: 'below', price: '0.000000000000000001' } as const

test('an alert and its notice say the market and the very price, in both languages', () => {
  showLocale('en')
  expect(alertText(above)).toBe('BNBUSDT at or above 12,345.678901234567890123')
  expect(noticeText(below)).toBe('RTUSDT fell to 0.000000000000000001 or below')
  showLocale('zh-HK')
  expect(alertText(below)).toBe('RTUSDT 跌至 0.000000000000000001 或以下')
  expect(noticeText(above)).toBe('BNBUSDT 已升至 12,345.678901234567890123 或以上')
})

test.each([
  ['632.66', '632.65606', '632.65'],
  ['632.66', '632.66', '632.66'],
  ['632.66', '632.669', '632.66'],
  ['632.6655', '632.66559', '632.6655'],
  ['632.6655', '632.6654', '632.6654'],
  ['3500', '3600.123456', '3,600.12'],
  ['0.10512', '0.105129999', '0.10512'],
])('an alert at %s that was told at %s says %s', (price, seen, text) => {
  expect(seenText({ price, price_seen: seen })).toBe(text)
})

test('the price that an alert was told at never contradicts what it waited for', () => {
  const prices = ['0.10511', '0.10512', '0.105125', '9.99', '10', '10.000001', '632.65', '632.66', '632.6655']
  const seen = prices.flatMap((price) => [price, `${price}${price.includes('.') ? '' : '.'}00000009`])
  const units = (text: string) => parseUnits(text.replaceAll(',', ''), 18) ?? -1n
  for (const price of prices)
    for (const price_seen of seen) {
      const shown = units(seenText({ price, price_seen }))
      if (units(price_seen) >= units(price)) expect(shown).toBeGreaterThanOrEqual(units(price))
      if (units(price_seen) <= units(price)) expect(shown).toBeLessThanOrEqual(units(price))
    }
})

describe('each refusal of the server has words that say what to do', () => {
  test.each([
    [
      20006,
      { reason: 'already_reached', price: '650.5' },
      'The price is at 650.5 already. Enter a higher one.',
      '現價已達 650.5，請輸入更高的價格。',
    ],
    [
      20010,
      { reason: 'too_many_alerts', max: 20 },
      '20 alerts are waiting already. Remove one first.',
      '已有 20 個提示等候中，請先移除一個。',
    ],
    [
      20010,
      { reason: 'too_often', max: 60 },
      'Too many alerts were set within an hour. Try again later.',
      '一小時內設定的提示太多，請稍後再試。',
    ],
    [20010, { reason: 'already_delivered' }, 'This alert was delivered meanwhile.', '這個提示剛才已經發出。'],
    [20011, null, 'as the server says', 'as the server says'],
  ])('%i %j', (code, data, english, chinese) => {
    const error = new ApiError(code, 'as the server says', data)
    showLocale('en')
    expect(refusalText(error)).toBe(english)
    showLocale('zh-HK')
    expect(refusalText(error)).toBe(chinese)
  })
})

test('a price that is there already on the way down asks for a lower one', () => {
  showLocale('en')
  const error = new ApiError(20006, '', { reason: 'already_reached', price: '650.5' })
  expect(refusalText(error, 'below')).toBe('The price is at 650.5 already. Enter a lower one.')
})

test('what was read here counts as read at once: one, or all of them with those that are not in sight', () => {
  const notice = (alert_id: string, isRead: boolean) => ({
    ...above,
    alert_id,
    price_seen: '12346',
    delivered_at: '2026-11-21T09:00:00.000Z',
    read: isRead,
  })
  const before = { items: [notice('c', false), notice('b', false), notice('a', true)], next_cursor: 'x', unread: 7 }
  const one = read(before, 'b')
  expect(one.items.map((each) => each.read)).toEqual([false, true, true])
  expect(one.unread).toBe(6)
  expect(read(one, 'b').unread).toBe(6)
  const all = read(before, undefined)
  expect(all.items.every((each) => each.read)).toBe(true)
  expect(all.unread).toBe(0)
})
