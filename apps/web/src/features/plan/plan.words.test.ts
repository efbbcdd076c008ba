import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { afterEach, expect, test } from 'vitest'
import words from './plan.words.ts'

afterEach(() => showLocale('zh-HK'))

const PLAN = { plan_id: 'p1', kind: 'schedule', symbol: 'BNBUSDT' } as const
const TIME = '1 Dec 2026 09:12'

/** Title and detail of a notice, in English and in Chinese. */
function texts(notice: () => { title: string; detail: string }): string[][] {
  return (['en', 'zh-HK'] as const).map((locale) => {
    showLocale(locale)
    const { title, detail } = notice()
    return [title, detail]
  })
}

test('a made run names both amounts, cut and grouped', () => {
  const sides = {
    sold: 'USDT',
    amount_in: '1250',
    bought: 'BNB',
    amount_out: '0.081234567',
    transaction_id: 't',
  } as const
  expect(texts(() => words.notices.plan_made({ ...PLAN, ...sides }, TIME))).toEqual([
    ['Scheduled swap made: 1,250 USDT → 0.0812345 BNB', TIME],
    ['定期閃兌已成交：1,250 USDT → 0.0812345 BNB', TIME],
  ])
  expect(texts(() => words.notices.plan_made({ ...PLAN, ...sides, kind: 'limit' }, TIME))[0]).toEqual([
    'Limit made: 1,250 USDT → 0.0812345 BNB',
    TIME,
  ])
})

test('a skipped run says why, that no funds moved, and its count', () => {
  const skipped = { ...PLAN, sold: 'USDT', amount_in: '50', reason: 'slippage', skipped: 2 } as const
  expect(texts(() => words.notices.plan_skipped(skipped, TIME))).toEqual([
    [
      'Scheduled swap of 50 USDT skipped',
      `You would have received less than your slippage tolerance allows. No funds moved. Skipped in a row: 2. ${TIME}`,
    ],
    ['50 USDT 的定期閃兌已略過', `成交所得低於滑點容忍度，款項沒有變動。已連續略過 2 次。${TIME}`],
  ])
})

test('a paused schedule names its pair, last reason and next step', () => {
  const paused = { ...PLAN, reason: 'three_skipped', last_reason: 'balance' } as const
  expect(texts(() => words.notices.plan_paused(paused, TIME))).toEqual([
    [
      'Scheduled swap on BNBUSDT paused',
      `Too many runs in a row were skipped. Last reason: Your balance was too low. No funds moved. Resume it when you’re ready. ${TIME}`,
    ],
    ['BNBUSDT 的定期閃兌已暫停', `連續多次略過。最近一次原因：餘額不足，款項沒有變動。準備好後可恢復。${TIME}`],
  ])
})

test.each([
  ['limit', 'balance', 'Limit of 1 BNB ended', /^The price came, but your balance was too low\. .*no funds moved/],
  ['limit', 'date', 'Limit of 1 BNB ended', /^The last day has passed without your price\. .*no funds moved/],
  ['schedule', 'date', 'Scheduled swap of 1 BNB ended', /^Its last day has passed\. No more funds will move/],
  [
    'schedule',
    'freeze',
    'Scheduled swap of 1 BNB ended',
    /^Your account was frozen, .* No funds moved\. Contact the operator/,
  ],
  ['limit', 'exit', 'Limit of 1 BNB ended', /^You started an exit, .* No funds moved/],
] as const)('an ended %s says why for the reason %s', (kind, reason, title, detail) => {
  showLocale('en')
  const ended = words.notices.plan_ended({ ...PLAN, kind, sold: 'BNB', amount_in: '1', reason }, TIME)
  expect(ended.title).toBe(title)
  expect(ended.detail).toMatch(detail)
})
