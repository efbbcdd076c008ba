import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { afterEach, expect, test } from 'vitest'
import { factName, factValue } from './step-texts.ts'

afterEach(() => showLocale('zh-HK'))

test('names each source of the pool in plain words', () => {
  const value = '600 + 0.25 [swap] + 0.25 [reserve_shared] − 0.25 [box_expiry] = 600.25 USDT'
  const fact = { name: 'asset_USDT', value, from: 'computed' } as const
  expect(factName(fact)).toBeUndefined()
  expect(factValue(fact)).toBe('600 + 0.25 (閃兌手續費) + 0.25 (借貸利息) − 0.25 (逾期未領獎勵) = 600.25 USDT')
})

test('shows a time to the minute and a hash unchanged', () => {
  showLocale('en')
  const at = { name: 'root_at', value: '2026-11-22T12:00:01.500Z', from: 'given' } as const
  expect(factName(at)).toBe('Root published')
  expect(factValue(at)).toMatch(/^2\d Nov 2026 \d\d:\d\d$/)
  const root = { name: 'computed_root', value: '764c7aaadf46', from: 'computed' } as const
  expect([factName(root), factValue(root)]).toEqual(['SHA-256 of the text', '764c7aaadf46'])
})
