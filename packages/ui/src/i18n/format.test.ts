import { afterEach, expect, test } from 'vitest'
import {
  formatAgo,
  formatAmount,
  formatChange,
  formatList,
  formatOwedUsdt,
  formatPercent,
  formatUsdt,
  INTEREST_DECIMALS,
  listDecimals,
  shortHex,
  significantDecimals,
} from './format.ts'
import { formatDate, formatDateTime, formatDayAndTime, formatTime } from './format-date.ts'
import { LOCALES, showLocale } from './locale.ts'

afterEach(() => showLocale('zh-HK'))

test.each([
  ['0', {}, '0'],
  ['1234567.891', {}, '1,234,567.891'],
  ['100', {}, '100'],
  ['0.123456789', {}, '0.123456'],
  ['1.999999999', { decimals: 2 }, '1.99'],
  ['0.0000001', {}, '<0.000001'],
  ['0.000000000000000001', { decimals: 8 }, '<0.00000001'],
  ['0.4', { decimals: 0 }, '<1'],
  ['-12.5', {}, '−12.5'],
  ['-0.0000001', {}, '−<0.000001'],
  ['12.5', { signed: true }, '+12.5'],
  ['0', { signed: true }, '0'],
  ['0.0000001', { signed: true }, '<0.000001'],
  ['-0.0000001', { signed: true }, '−<0.000001'],
  ['1', { decimals: 4, fixed: true }, '1.0000'],
  ['-28.36161', { decimals: 4, fixed: true }, '−28.3616'],
  ['0', { decimals: 2, fixed: true, signed: true }, '0.00'],
  ['0.00004', { decimals: 4, fixed: true }, '<0.0001'],
  ['12', { decimals: 0, fixed: true }, '12'],
  ['-40.000000219', { raisesOut: true }, '−40.000001'],
  ['-39.999999219', { raisesOut: true }, '−40'],
  ['-0.000000219', { raisesOut: true, decimals: 12 }, '−0.000000219'],
  ['-40', { raisesOut: true }, '−40'],
  ['40.000000219', { raisesOut: true }, '40'],
  ['200.0000034', { raises: true }, '200.000004'],
  ['123456789012345678901234567890.5', {}, '123,456,789,012,345,678,901,234,567,890.5'],
])('the amount %s with %o reads %s', (amount, options, text) => {
  expect(formatAmount(amount, options)).toBe(text)
})

test('the account currency always has two decimals', () => {
  expect(formatUsdt('1234.5')).toBe('1,234.50')
  expect(formatUsdt('0')).toBe('0.00')
  expect(formatUsdt('0.001')).toBe('<0.01')
})

test.each([
  ['199.999999999999999999', '200.00', '200.00'],
  ['3452.691', '3,452.69', '3,452.70'],
  ['3452.690000000000000001', '3,452.69', '3,452.69'],
  ['-3452.691', '−3,452.69', '−3,452.70'],
  ['0.000000000000000001', '<0.01', '<0.01'],
  ['0', '0.00', '0.00'],
])('%s reads %s if held and %s if owed', (amount, held, owed) => {
  expect(formatUsdt(amount)).toBe(held)
  expect(formatOwedUsdt(amount)).toBe(owed)
})

test('a fraction becomes a percentage without floating point', () => {
  expect(formatPercent('0.045')).toBe('4.5%')
  expect(formatPercent('0.0025')).toBe('0.25%')
  expect(formatPercent('1')).toBe('100%')
  expect(formatPercent('-0.012', { signed: true })).toBe('−1.2%')
  expect(formatPercent('0.29')).toBe('29%')
})

test('a change below a hundredth of a percent is none', () => {
  expect(formatChange('0.0455')).toBe('+4.55%')
  expect(formatChange('-0.0001')).toBe('−0.01%')
  expect(formatChange('0.00009')).toBe('0.00%')
  expect(formatChange('-0.00009')).toBe('0.00%')
  expect(formatChange('0')).toBe('0.00%')
})

test.each([
  ['zh-HK', ['0.03 RT', '0.25 USDT'], '0.03 RT 及 0.25 USDT'],
  ['zh-HK', ['1 BNB', 'ETH', '另外 2 項'], '1 BNB、ETH 及另外 2 項'],
  ['zh-HK', ['閃兌', '質押', '借貸'], '閃兌、質押及借貸'],
  ['en', ['0.03 RT', '0.25 USDT'], '0.03 RT and 0.25 USDT'],
] as const)('in %s the list %j reads %j', (locale, things, phrase) => {
  showLocale(locale)
  expect(formatList(things)).toBe(phrase)
})

test('a long hash is shortened, a short one is not', () => {
  expect(shortHex('0x1234567890abcdef1234567890abcdef12345678')).toBe('0x1234…5678')
  expect(shortHex('0x12')).toBe('0x12')
})

test.each([
  ['zh-HK', '2026年3月9日', '2026年3月9日 15:04', '15:04:05'],
  ['en', '9 Mar 2026', '9 Mar 2026 15:04', '15:04:05'],
] as const)('a date, a point in time and a time in %s', (locale, day, point, time) => {
  showLocale(locale)
  // Without a zone: the user's own, whichever it is.
  expect(formatDate('2026-03-09T15:04:05')).toBe(day)
  expect(plainSpaces(formatDateTime('2026-03-09T15:04:05'))).toBe(point)
  expect(formatTime('2026-03-09T15:04:05')).toBe(time)
  expect(plainSpaces(formatDayAndTime('2026-03-09T15:04:05'))).toBe(locale === 'en' ? '9 Mar 15:04' : '3月9日 15:04')
})

test.each([
  [0, '0 秒前', '0 sec ago'],
  [1.9, '1 秒前', '1 sec ago'],
  [59, '59 秒前', '59 sec ago'],
  [60, '1 分鐘前', '1 min ago'],
  [7_199, '1 小時前', '1 hr ago'],
  [86_400, '1 日前', '1 day ago'],
  [3 * 86_400, '3 日前', '3 days ago'],
  [-4, '0 秒前', '0 sec ago'],
])('%s seconds ago reads %s and %s', (seconds, chinese, english) => {
  showLocale('zh-HK')
  expect(formatAgo(seconds)).toBe(chinese)
  showLocale('en')
  expect(formatAgo(seconds)).toBe(english)
})

test('numbers look the same in both languages', () => {
  for (const locale of LOCALES) {
    showLocale(locale)
    expect(formatAmount('1234567.5')).toBe('1,234,567.5')
    expect(formatUsdt('1234567.5')).toBe('1,234,567.50')
    expect(formatPercent('12.345')).toBe('1,234.5%')
  }
})

/** Intl puts narrow spaces between the parts, differently from version to version. */
function plainSpaces(text: string): string {
  return text.replaceAll(/\s/gu, ' ')
}

test.each([
  ['1.23456789', '1.234567'],
  ['1234567.00000001', '1,234,567'],
  ['0.123456789', '0.123456'],
  ['0.000000001234567', '0.00000000123456'],
  ['0.000000000000000001', '0.000000000000000001'],
  ['-0.00000012', '−0.00000012'],
  ['0', '0'],
])('%s keeps six significant decimals: %s', (amount, shown) => {
  expect(formatAmount(amount, { decimals: significantDecimals(amount) })).toBe(shown)
})

test.each([
  ['0.000000000000000001', '<0.000001', '<0.000001'],
  ['-0.0000000832401', '−<0.000001', '−<0.000001'],
  ['0.00000164098', '0.000001', '0.000002'],
  ['0.123456', '0.123456', '0.123456'],
  ['12.00000009', '12', '12.000001'],
  ['0', '0', '0'],
])('interest of %s reads %s where earned, %s where owed', (amount, earned, owed) => {
  const decimals = INTEREST_DECIMALS
  expect([formatAmount(amount, { decimals }), formatAmount(amount, { decimals, raises: true })]).toEqual([earned, owed])
})

test.each([
  ['0.000484671', '0.0004846'],
  ['0.0997', '0.0997'],
  ['1.23456', '1.234'],
  ['12.3456', '12.34'],
  ['1234567.891', '1,234,567.89'],
  ['-0.00123456', '−0.001234'],
  ['5', '5'],
  ['0', '0'],
])('the amount %s in a list is %s', (amount, shown) => {
  expect(formatAmount(amount, { decimals: listDecimals(amount) })).toBe(shown)
})
