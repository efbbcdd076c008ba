import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { alertText, refusalText } from './alert-text.ts'

afterEach(() => showLocale('zh-HK'))

const above = { symbol: 'BNBUSDT', direction: 'above', price: '12345.678901234567890123' } as const
const below = { symbol: 'RTUSDT', direction: 'below', price: '0.000000000000000001' } as const

test('an alert names the market and the exact price, in both languages', () => {
  showLocale('en')
  expect(alertText(above)).toBe('BNB/USDT at or above 12,345.678901234567890123')
  showLocale('zh-HK')
  expect(alertText(below)).toBe('RT/USDT 跌至 0.000000000000000001 或以下')
})

describe('each refusal of the server has words that say what to do', () => {
  test.each([
    [
      20006,
      { reason: 'already_reached', price: '650.5' },
      'The price is already 650.50. Enter a higher price.',
      '現價已達 650.50，請輸入更高的價格。',
    ],
    [
      20010,
      { reason: 'too_many_alerts', max: 20 },
      'You already have 20 active alerts. Remove one first.',
      '已有 20 個生效中的提示，請先移除一個。',
    ],
    [20010, { reason: 'already_delivered' }, 'as the server says', 'as the server says'],
    [20011, null, 'as the server says', 'as the server says'],
  ])('%i %j', (code, data, english, chinese) => {
    const error = new ApiError(code, 'as the server says', data)
    showLocale('en')
    expect(refusalText(error)).toBe(english)
    showLocale('zh-HK')
    expect(refusalText(error)).toBe(chinese)
  })
})

test('asks for a lower price if the price already fell', () => {
  showLocale('en')
  const error = new ApiError(20006, '', { reason: 'already_reached', price: '650.5' })
  expect(refusalText(error, 'below')).toBe('The price is already 650.50. Enter a lower price.')
})
