import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { loadAllWords } from '../../testing/words.ts'
import type { Notice } from './notice.queries.ts'
import { noticeText } from './notice-text.ts'

beforeAll(loadAllWords)
afterEach(() => showLocale('zh-HK'))

const created_at = '2026-11-21T09:00:00.000Z'

test('a notice has its words and its date on one line', () => {
  showLocale('en')
  const { icon, title, detail } = noticeText({ kind: 'level_up', params: { level: 3 }, created_at })
  expect({ icon, title }).toEqual({ icon: 'users', title: 'You have reached membership level 3' })
  expect(detail).toContain('21\u00a0Nov\u00a02026')
})

test('a notice that was sent late states when it happened', () => {
  showLocale('en')
  const params = { lead: '0xbbbb…bbbb', at: '2026-11-20T02:05:00.000Z' }
  expect(noticeText({ kind: 'lead_activated', params, created_at })).toMatchObject({
    title: '0xbbbb…bbbb, who joined with your code, is now activated',
    detail: 'You have one more activated lead. 20\u00a0Nov\u00a02026\u00a002:05',
  })
})

test('a kind that this build does not know has a general text', () => {
  showLocale('en')
  const newer = { kind: 'loan_due', params: {}, created_at } as unknown as Notice
  expect(noticeText(newer).title).toBe('Your account has an update')
})
