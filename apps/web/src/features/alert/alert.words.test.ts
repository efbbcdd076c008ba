import type { NoticeParams } from '@clearwell/api/notice-kinds'
import { parseUnits } from '@clearwell/money/decimal'
import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { afterEach, expect, test } from 'vitest'
import words from './alert.words.ts'

afterEach(() => showLocale('zh-HK'))

function alertNotice(params: Partial<NoticeParams<'price_alert'>>) {
  const first = { symbol: 'BNBUSDT', direction: 'above', price: '700', price_seen: '701' } as const
  return words.notices.price_alert({ ...first, ...params }, '21 Nov 2026, 17:00')
}

test('a price alert names market and exact price in both languages', () => {
  showLocale('en')
  const fell = { symbol: 'RTUSDT', direction: 'below', price: '0.000000000000000001' } as const
  expect(alertNotice(fell).title).toBe('RT/USDT fell to 0.000000000000000001 or below')
  showLocale('zh-HK')
  const rose = { direction: 'above', price: '12345.678901234567890123' } as const
  expect(alertNotice(rose).title).toBe('BNB/USDT 已升至 12,345.678901234567890123 或以上')
})

/** The price that reached the alert, as the notice shows it. */
function seenIn({ price, price_seen }: { price: string; price_seen: string }): string {
  showLocale('en')
  return /^At (\S+), /.exec(alertNotice({ price, price_seen }).detail)?.[1] ?? ''
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
