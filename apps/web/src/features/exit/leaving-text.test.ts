import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Exit } from './exit.queries.ts'
import { NO_EXIT } from './exit.samples.ts'
import { stateText } from './leaving-text.ts'

beforeEach(() => showLocale('en'))
afterEach(() => showLocale('zh-HK'))

const TIMES = { repay_until: '2030-01-06T00:00:00.000Z', ready_at: '2030-01-08T00:00:00.000Z' }

test.each<[Partial<Exit>, RegExp]>([
  [{ state: 'open', allowed: ['repay'] }, /^Until 6 Jan 2030 00:00 you can repay/],
  [{ state: 'open' }, /pays from 8 Jan 2030 00:00/],
  [{ state: 'ready' }, /ready to pay/],
  [{ state: 'cancelling' }, /is cancelled/],
])('says of %o what still works', (exit, text) => {
  expect(stateText({ ...NO_EXIT, ...TIMES, ...exit })).toMatch(text)
})
