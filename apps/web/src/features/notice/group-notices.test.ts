import { expect, test } from 'vitest'
import { groupNotices, isReplaced } from './group-notices.ts'
import type { Notice } from './notice.queries.ts'

function notice(id: string, kind: Notice['kind'], read = false, params = {}): Notice {
  return { id, kind, params, link: null, read, created_at: '2026-11-21T09:00:00.000Z' } as unknown as Notice
}

const idsOf = (groups: ReturnType<typeof groupNotices>['rest']) =>
  groups.map(({ newest, others }) => [newest, ...others].map(({ id }) => id).join())

test('puts unread notices about money first, each alone', () => {
  const notices = [
    notice('9', 'upgrade_requested'),
    notice('8', 'loan_to_be_cleared'),
    notice('7', 'loan_warning'),
    notice('6', 'loan_warning', true),
  ]
  const { money, rest } = groupNotices(notices, ({ read }) => !read)
  expect(idsOf(money)).toEqual(['8', '7'])
  expect(idsOf(rest)).toEqual(['9', '6'])
})

test('groups three notices of one kind, but not two', () => {
  const requests = ['9', '8', '7'].map((id) => notice(id, 'upgrade_requested'))
  const alerts = ['6', '5'].map((id) => notice(id, 'price_alert'))
  const { rest } = groupNotices([...requests, ...alerts], () => true)
  expect(idsOf(rest)).toEqual(['9,8,7', '6', '5'])
})

test('groups the rewards of boxes with other notices between them', () => {
  const notices = [
    notice('9', 'upgrade_requested'),
    notice('8', 'box_claimable'),
    notice('7', 'price_alert'),
    notice('6', 'box_claimable', true),
    notice('5', 'upgrade_requested'),
    notice('4', 'box_claimable', true),
  ]
  const { money, rest } = groupNotices(notices, ({ read }) => !read)
  expect([idsOf(money), idsOf(rest)]).toEqual([[], ['9', '8,6,4', '7', '5']])
  expect(idsOf(groupNotices(notices.slice(0, 5), () => true).rest)).toEqual(['9', '8', '7', '6', '5'])
})

test('shows the newest warning of each loan, and a liquidation alone', () => {
  const of = (order_id: string) => ({ order_id })
  const notices = [
    notice('9', 'loan_part_liquidated', false, of('a')),
    notice('8', 'loan_to_be_cleared', false, of('a')),
    notice('7', 'loan_reminder', false, of('b')),
    notice('6', 'loan_reminder', false, of('a')),
    notice('5', 'loan_warning', true, of('a')),
    notice('4', 'loan_reminder', true, of('a')),
  ]
  const { money, rest } = groupNotices(notices, ({ read }) => !read)
  expect([idsOf(money), idsOf(rest)]).toEqual([['9', '8,6,5,4', '7'], []])
  const marked = money.map((group) =>
    notices
      .filter((each) => isReplaced(each, group))
      .map(({ id }) => id)
      .join(),
  )
  expect(marked).toEqual(['', '6,5,4', ''])
})

test('read warnings of a loan are one group among the others', () => {
  const read = ['9', '8'].map((id) => notice(id, 'loan_reminder', true, { order_id: 'a' }))
  const { money, rest } = groupNotices(read, () => false)
  expect([idsOf(money), idsOf(rest)]).toEqual([[], ['9,8']])
})

test('marks none of three notices that only share their kind', () => {
  const requests = ['9', '8', '7'].map((id) => notice(id, 'upgrade_requested'))
  const { rest } = groupNotices(requests, () => true)
  expect(rest.flatMap((group) => requests.filter((each) => isReplaced(each, group)))).toEqual([])
})
