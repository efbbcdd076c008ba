import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { showLocale } from '../../i18n/locale.ts'
import {
  type CandleFormats,
  CandleLegend,
  candleText,
  changeText,
  describePriceRange,
  volumeColumnText,
} from './candle-figures.tsx'
import type { Candle } from './candles.ts'

const zone = process.env.TZ
beforeEach(() => {
  process.env.TZ = 'Asia/Hong_Kong'
})
afterEach(() => {
  process.env.TZ = zone
  showLocale('zh-HK')
})

const formats: CandleFormats = { decimals: 2, price: (price) => price, base: 'BNB' }
const CANDLES: Candle[] = [
  { time: '2026-03-09T16:00:00.000Z', open: '620', high: '640', low: '610', close: '630', volume: '1234.5678' },
  { time: '2026-03-09T16:15:00.000Z', open: '630', high: '635', low: '600', close: '604.5', volume: '0' },
]

test.each([
  [
    'en',
    'Last 604.5. −2.50% from 10 Mar 2026 00:00 to 10 Mar 2026 00:15. High 640, low 600.',
    '10 Mar 2026 00:00: open 620, high 640, low 610, close 630, volume 1,234.56 BNB',
  ],
  [
    'zh-HK',
    '最新價 604.5。由 2026年3月10日 00:00 至 2026年3月10日 00:15，升跌 −2.50%；最高 640，最低 600。',
    '2026年3月10日 00:00：開市 620，最高 640，最低 610，收市 630，成交量 1,234.56 BNB',
  ],
] as const)('describes the price range and each candle in %s', (locale, summary, candle) => {
  showLocale(locale)
  expect(describePriceRange(CANDLES, CANDLES.at(-1), formats)).toBe(summary)
  expect(candleText(CANDLES[0] as Candle, formats)).toBe(candle)
})

test('describes the visible range with the latest price when scrolled back', () => {
  showLocale('en')
  const latest: Candle = { ...(CANDLES[1] as Candle), time: '2026-03-11T16:00:00.000Z', close: '777' }
  expect(describePriceRange(CANDLES, latest, formats)).toBe(
    'Last 777. −2.50% from 10 Mar 2026 00:00 to 10 Mar 2026 00:15. High 640, low 600.',
  )
})

test('volumes in a column have the same decimals', () => {
  const texts = ['1234.5678', '12.5', '7', '0', '0.001'].map((volume) =>
    volumeColumnText({ ...CANDLES[0], volume } as Candle),
  )
  expect(texts).toEqual(['1,234.56', '12.50', '7.00', '0.00', '<0.01'])
})

test.each([
  ['en', 'Last 604.5. From 10 Mar 2026 00:00 to 10 Mar 2026 00:15: high 640, low 600.'],
  ['zh-HK', '最新 604.5。由 2026年3月10日 00:00 至 2026年3月10日 00:15：最高 640，最低 600。'],
] as const)('a running total has no percentage in %s', (locale, summary) => {
  showLocale(locale)
  const total = { ...formats, isTotal: true }
  expect(describePriceRange(CANDLES, CANDLES.at(-1), total)).toBe(summary)
  const html = (of: CandleFormats) =>
    renderToStaticMarkup(createElement(CandleLegend, { candle: CANDLES[0]!, formats: of }))
  expect(html(total)).not.toMatch(/%|–|text-up|text-down/)
  expect(html(formats)).toMatch(/%.*text-up/)
})

test('a hidden candle has no figure in legend, words and column', () => {
  const hidden = { decimals: 2, price: () => '••••••', base: 'RT', isTotal: true, isHidden: true }
  const [candle] = CANDLES as [Candle]
  const legend = renderToStaticMarkup(createElement(CandleLegend, { candle, formats: hidden }))
  for (const text of [legend, candleText(candle, hidden)]) expect(text).not.toMatch(/1,234|620|640|610|630/)
  expect(legend).toContain('•••••• RT')
  expect(volumeColumnText(candle, hidden)).toBe('••••••')
})

test('describes no candles as nothing and no change as a dash', () => {
  expect(describePriceRange([], undefined, formats)).toBe('')
  expect(changeText(undefined)).toBe('–')
})
