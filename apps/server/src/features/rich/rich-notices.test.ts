import { describe, expect, test } from 'vitest'
import { richRequests } from './rich.tables.ts'
import { markAnnounced, noticesOf } from './rich-notices.ts'
import { RichLedger } from './testing/rich-ledger.ts'

/** A request that waits for its parent, and one that has passed. */
function twoRequests() {
  const ledger = new RichLedger()
  for (const user of ['parent', 'child', 'orphan']) ledger.join(user, { has: '100' })
  for (const user of ['child', 'orphan']) ledger.deposit(user, '100')
  ledger.request('child', 'parent')
  ledger.request('orphan')
  const [waiting, passed] = ledger.rows(richRequests)
  return { ledger, waiting: waiting!, passed: passed! }
}

describe('the notice of a request', () => {
  test('goes to the parent first, to its owner once passed', () => {
    const { waiting, passed } = twoRequests()
    const described = (row: typeof waiting) =>
      noticesOf({ ...row, requester_name: 'Name' }).map(({ userId, kind, key, params }) => ({
        userId,
        kind,
        key,
        params,
      }))
    const [first, second] = [waiting.id, passed.id]
    expect(described(waiting)).toEqual([
      {
        userId: 'parent',
        kind: 'upgrade_requested',
        key: first,
        params: { request_id: first, star: 1, name: 'Name', at: waiting.created_at.toISOString() },
      },
    ])
    expect(described(passed)).toEqual([
      {
        userId: 'orphan',
        kind: 'upgrade_passed',
        key: second,
        params: { request_id: second, star: 1, at: passed.passed_at?.toISOString() },
      },
    ])
  })

  test('is not sent for a withdrawn request', () => {
    const { ledger, waiting } = twoRequests()
    ledger.takeBack('child')
    const withdrawn = ledger.row(richRequests, waiting.id)!
    expect([withdrawn.status, noticesOf({ ...withdrawn, requester_name: 'Name' })]).toEqual(['Withdrawn', []])
  })
})

test('requests are marked as announced unless they changed meanwhile', () => {
  const { ledger, waiting, passed } = twoRequests()
  ledger.approve('parent', waiting.id)
  expect(ledger.execute(markAnnounced([waiting, passed, { ...passed, id: 'none' }]))).toEqual({ announced: 1 })
  const isAnnounced = (id: string) => ledger.row(richRequests, id)?.is_announced
  expect([isAnnounced(waiting.id), isAnnounced(passed.id)]).toEqual([false, true])
})
