import { beforeEach, describe, expect, test } from 'vitest'
import { richRequests } from './rich.tables.ts'
import { DAY_S, HOUR_S, RichLedger, refused, START } from './testing/rich-ledger.ts'

let ledger: RichLedger
beforeEach(() => {
  ledger = new RichLedger()
  ledger.join('parent')
  ledger.join('child', { has: '60000' })
  ledger.deposit('child', '300')
})

describe('a request for a star', () => {
  test('passes immediately without an inviter', () => {
    expect(ledger.request('child')).toMatchObject({ star: 1, status: 'Passed', passed_by: 'system' })
    expect(ledger.account('child')).toMatchObject({ star: 1, raised_on: '2026-11-22' })
  })

  test('waits for the inviter for 72 hours', () => {
    const request = ledger.request('child', 'parent')
    expect(request).toMatchObject({ star: 1, status: 'Requested', passed_at: null, passed_by: null })
    expect(request.passes_at).toBe(new Date(START.getTime() + 72 * HOUR_S * 1_000).toISOString())
    expect(ledger.account('child')).toMatchObject({ star: 0, request_id: request.request_id, parent_id: 'parent' })
  })

  test('is refused without activation and without a UID', () => {
    expect(refused(() => ledger.request('stranger'))).toEqual({ not_activated: {} })
    ledger.join('unlinked', { uid: null })
    expect(refused(() => ledger.request('unlinked'))).toEqual({ uid_not_linked: {} })
  })

  test('is refused while another one is open', () => {
    const { request_id } = ledger.request('child', 'parent')
    expect(refused(() => ledger.request('child', 'parent'))).toEqual({
      conflict: { reason: 'request_open', request_id },
    })
  })

  test('is refused while the account steps down', () => {
    ledger.request('child')
    ledger.stepDown('child')
    expect(refused(() => ledger.request('child'))).toMatchObject({ conflict: { reason: 'stepping_down' } })
  })

  test('is refused below its deposit, to the unit', () => {
    ledger.join('short', { has: '100' })
    ledger.deposit('short', '99.999999999999999999')
    expect(refused(() => ledger.request('short'))).toEqual({
      rt_deposit_missing: { required: '100', missing: '0.000000000000000001' },
    })
    ledger.deposit('short', '0.000000000000000001')
    expect(ledger.request('short')).toMatchObject({ star: 1 })
  })

  test('is refused on a star’s day, until midnight in Hong Kong', () => {
    ledger.request('child')
    expect(refused(() => ledger.request('child'))).toEqual({
      not_open: { reason: 'one_star_a_day', opens_at: '2026-11-22T16:00:00.000Z' },
    })
    ledger.advance(16 * HOUR_S - 1)
    expect(refused(() => ledger.request('child'))).toMatchObject({ not_open: { reason: 'one_star_a_day' } })
    ledger.advance(1)
    expect(ledger.request('child')).toMatchObject({ star: 2, status: 'Passed' })
  })

  test('is refused at the highest star', () => {
    ledger.deposit('child', '25300')
    for (let star = 1; star <= 9; star++) {
      expect(ledger.request('child')).toMatchObject({ star })
      ledger.advance(DAY_S)
    }
    expect(refused(() => ledger.request('child'))).toEqual({ conflict: { reason: 'highest_star' } })
  })
})

describe('an approval', () => {
  test('gives the star, once', () => {
    const { request_id: id } = ledger.request('child', 'parent')
    expect(ledger.approve('parent', id)).toMatchObject({ status: 'Passed', passed_by: 'parent', passes_at: null })
    expect(ledger.account('child')).toMatchObject({ star: 1 })
    expect(refused(() => ledger.approve('parent', id))).toEqual({ conflict: { reason: 'already_passed' } })
  })

  test.each(['grandparent', 'child'])('is refused to %s, as for an unknown request', (userId) => {
    if (userId !== 'child') ledger.join(userId)
    const { request_id: id } = ledger.request('child', 'parent')
    expect(refused(() => ledger.approve(userId, id))).toEqual({ not_found: {} })
    expect(refused(() => ledger.approve(userId, 'none'))).toEqual({ not_found: {} })
  })

  test('is refused for a withdrawn request and without activation', () => {
    const { request_id: id } = ledger.request('child', 'parent')
    ledger.deactivate('parent')
    expect(refused(() => ledger.approve('parent', id))).toEqual({ not_activated: {} })
    ledger.takeBack('child')
    ledger.join('parent', { uid: null })
    expect(refused(() => ledger.approve('parent', id))).toEqual({ conflict: { reason: 'withdrawn' } })
  })
})

test('the system passes due requests, once, and no other', () => {
  const { request_id: id } = ledger.request('child', 'parent')
  ledger.advance(72 * HOUR_S - 1)
  expect(ledger.passDue(id, 'none')).toBe(0)
  ledger.advance(1)
  expect([ledger.passDue(id, 'none'), ledger.passDue(id)]).toEqual([1, 0])
  expect(ledger.row(richRequests, id)).toMatchObject({ status: 'Passed', passed_by: 'system' })
  expect(ledger.account('child')).toMatchObject({ star: 1 })
})
