import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { factsIn } from '../../testing/facts.ts'
import { LIMIT, PLAN } from './plan.samples.ts'
import { planFacts } from './plan-facts.tsx'
import type { Plan } from './plan-words.ts'

afterEach(() => showLocale('zh-HK'))

function facts(plan: Plan, locale: 'en' | 'zh-HK'): string[] {
  showLocale(locale)
  return factsIn(renderToStaticMarkup(<FactList facts={planFacts(plan)} />))
}

test('a limit shows amount, price and last day', () => {
  const limit = { ...LIMIT, amount: '1234.5', price: '650.25' }
  expect(facts(limit, 'en').slice(0, 4)).toEqual([
    'Status: Active',
    'Amount to sell: 1,234.5 BNB',
    'Lowest price per BNB: 650.25 USDT',
    'Last day: 31 Jan 2030',
  ])
  expect(facts({ ...limit, inverse: 1 }, 'zh-HK').slice(0, 4)).toEqual([
    '狀態: 生效中',
    '支付數量: 1,234.5 USDT',
    '每 BNB 最高價格: 650.25 USDT',
    '結束日期: 2030年1月31日',
  ])
})

test('a schedule shows the hour of its next run, not a moment', () => {
  const next = { ...PLAN, next_at: '2030-01-01T01:23:45.678Z' }
  expect(facts(next, 'en').slice(0, 6)).toEqual([
    'Status: Active',
    'Spend each time: 50 USDT',
    'Repeats: Weekly',
    'Hour (Hong Kong): 09:00–10:00',
    'Next run: 1 Jan 2030, 09:00–10:00',
    'Slippage tolerance: 0.5%',
  ])
})
