import { type Locale, showLocale } from '@clearwell/ui/i18n/locale.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { testConfig } from '../../testing/config.ts'
import { factsIn, textOf } from '../../testing/facts.ts'
import FrozenBanner from './frozen-banner.tsx'

afterEach(() => {
  queryClient.clear()
  showLocale('zh-HK')
})

function render(locale: Locale, contact: string | null): string {
  showLocale(locale)
  queryClient.setQueryData(['config', {}], testConfig({ contact }))
  const frozen = { since: '2030-01-01T00:00:00.000Z', until: '2030-01-15T00:00:00.000Z', reason: 'a stolen phone' }
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <FrozenBanner frozen={frozen} />
    </QueryClientProvider>,
  )
}

function sentencesIn(html: string): string[] {
  return [...html.matchAll(/<p[^>]*>(.*?)<\/p>/gs)].map(([, text = '']) => textOf(text))
}

test('the banner of a frozen account names the contact of the operator', () => {
  const html = render('en', 'help@example.com')
  expect(sentencesIn(html)).toEqual([
    'Your account is frozen until 15 Jan 2030 08:00, Hong Kong time',
    'Reason: a stolen phone',
    'You can still repay, add collateral, transfer in and cancel plans.',
  ])
  expect(factsIn(html)).toEqual(['Contact the operator: help@example.com'])
})

test('the contact is a link where it is a page', () => {
  const html = render('zh-HK', 'https://help.example/ticket')
  expect(sentencesIn(html)[0]).toBe('你的帳戶已被凍結，直至香港時間 2030年1月15日 08:00')
  expect(factsIn(html)).toEqual(['聯絡營運方: https://help.example/ticket'])
  expect(html).toMatch(/<a href="https:\/\/help\.example\/ticket"[^>]*rel="noopener noreferrer"/)
})

test('the banner says that no contact is stated', () => {
  expect(sentencesIn(render('en', null)).at(-1)).toBe('The operator has not stated a contact address.')
})
