import { expect, test } from 'vitest'
import { markedRead, type Notice } from './notice.queries.ts'

function notice(id: string, read = false): Notice {
  return { id, kind: 'level_up', params: { level: 1 }, link: '/team', read, created_at: '2026-11-21T09:00:00.000Z' }
}

test('reading notices lowers the count once each, beyond the latest too', () => {
  const items = [notice('3'), notice('2'), notice('1', true)]
  const before = { items, next_cursor: 'x', unread: 7 }
  const one = markedRead(before, ['2'])
  expect(one.items.map(({ read }) => read)).toEqual([false, true, true])
  expect(one.unread).toBe(6)
  expect(markedRead(one, ['2', '1'])).toEqual(one)
  expect(markedRead(one, ['3', '-5']).unread).toBe(4)
  expect(markedRead({ ...before, unread: 0 }, ['3']).unread).toBe(0)
})
