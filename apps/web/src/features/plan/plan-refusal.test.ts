import { CODES, type RefusalName } from '@clearwell/api/codes'
import { REASON_TEXTS, refusalText } from '@clearwell/api/refusal-texts'
import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { afterEach, expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { refusedText } from './plan-refusal.ts'

afterEach(() => showLocale('zh-HK'))

test.each<[RefusalName, object, string, string]>([
  [
    'amount_out_of_range',
    { min: '0.016129032258064517' },
    'The amount is too small. Plan at least 0.016129032258064517 BNB each time.',
    '數量太少，每次最少 0.016129032258064517 BNB。',
  ],
  [
    'amount_out_of_range',
    {},
    'This pool can’t give that price for this amount. Enter a smaller amount or another price.',
    '兌換池無法以此價格成交這個數量，請減少數量或更改價格。',
  ],
  [
    'too_many_open',
    { max: 50 },
    'You already have 50 active or paused planned swaps. Cancel one first.',
    '你已有 50 項生效中或已暫停的計劃閃兌，請先取消其中一項。',
  ],
  [
    'price_out_of_date',
    { reason: 'unknown' },
    'No reliable price is known right now, so the amount can’t be checked. Try again later.',
    '現時沒有可靠的價格，未能核對數量，請稍後再試。',
  ],
  ['conflict', { reason: 'of_tomorrow' }, CODES.conflict.msg.en, CODES.conflict.msg['zh-HK']],
  [
    'not_found',
    {},
    'This plan or its pool no longer exists. Go back and choose again.',
    '這項計劃或其兌換池已不存在，請返回重新選擇。',
  ],
  [
    'not_available',
    { reason: 'frozen' },
    REASON_TEXTS.not_available.frozen.en,
    REASON_TEXTS.not_available.frozen['zh-HK'],
  ],
  [
    'not_available',
    { reason: 'operator_account' },
    'The operator’s own accounts can’t plan swaps. Use another account.',
    '營運方的帳戶不能設定計劃閃兌，請使用其他帳戶。',
  ],
  [
    'account_is_leaving',
    {},
    'This account is leaving. You can plan swaps again after cancelling the exit.',
    '此帳戶正在自主退出。取消自主退出後，便可再次設定計劃閃兌。',
  ],
])('%s with %o names the next step in both languages', (name, data, en, zh) => {
  const { code } = CODES[name]
  const text = (locale: 'en' | 'zh-HK') => {
    showLocale(locale)
    return refusedText(new ApiError(code, refusalText(name, data, locale), data), 'BNB')
  }
  expect([text('en'), text('zh-HK')]).toEqual([en, zh])
})
