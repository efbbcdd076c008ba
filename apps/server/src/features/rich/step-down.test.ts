import { beforeEach, describe, expect, test } from 'vitest'
import { richReleases, richRequests } from './rich.tables.ts'
import { readProgram } from './rich-books.ts'
import { DAY_S, RichLedger, refused, rt, START } from './testing/rich-ledger.ts'

let ledger: RichLedger
beforeEach(() => {
  ledger = new RichLedger()
  ledger.join('alice', { has: '300' })
  ledger.deposit('alice', '250')
})

describe('stepping down', () => {
  test('takes the weight immediately, and returns the deposit in seven days', () => {
    ledger.request('alice')
    ledger.deactivate('alice')
    const returnsAt = new Date(START.getTime() + 7 * DAY_S * 1_000)
    expect(ledger.stepDown('alice')).toMatchObject({
      star: 1,
      deposit: '250',
      step_down: { amount: '250', returns_at: returnsAt.toISOString() },
    })
    expect(ledger.account('alice')).toMatchObject({ star: 1, weight: 0n, steps_down_at: returnsAt })
    expect(readProgram(ledger)).toMatchObject({ weight: 0n, next_weight: 0n })
  })

  test('ends the pay with yesterday, where the daily job is late', () => {
    ledger.request('alice')
    ledger.advance(2 * DAY_S)
    // The star begins on the 22nd, so the 23rd is its only whole day before the notice on the 24th: 0.1 RT.
    expect(ledger.stepDown('alice')).toMatchObject({ to_be_collected: '0.1', to_be_earned: '0' })
    expect(ledger.account('alice')).toMatchObject({ to_collect: rt('0.1'), weight: 0n, raised_on: null })
    expect(ledger.rows(richReleases).map((each) => [each.id, each.released, each.released_at])).toEqual([
      ['2026-11-21', 0n, START],
      ['2026-11-22', 0n, ledger.now],
      ['2026-11-23', rt('0.1'), ledger.now],
    ])
  })

  test('withdraws an open request', () => {
    ledger.request('alice')
    ledger.advance(DAY_S)
    const { request_id: id } = ledger.request('alice', 'parent')
    ledger.stepDown('alice')
    expect(ledger.row(richRequests, id)).toMatchObject({ status: 'Withdrawn' })
    expect(ledger.account('alice')).toMatchObject({ request_id: null })
  })

  test('is refused without a UID, without a star, and twice', () => {
    expect(refused(() => ledger.stepDown('stranger'))).toEqual({ uid_not_linked: {} })
    expect(refused(() => ledger.stepDown('alice'))).toEqual({ conflict: { reason: 'no_star' } })
    ledger.request('alice')
    ledger.stepDown('alice')
    expect(refused(() => ledger.stepDown('alice'))).toMatchObject({ conflict: { reason: 'stepping_down' } })
  })
})

describe('returning deposits', () => {
  test('ends the notice to the second, with the whole deposit', () => {
    ledger.request('alice')
    ledger.stepDown('alice')
    ledger.advance(7 * DAY_S - 1)
    expect(ledger.returnDeposits('alice')).toBe(0)
    ledger.advance(1)
    expect([ledger.returnDeposits('alice'), ledger.returnDeposits('alice')]).toEqual([1, 0])
    expect([ledger.has('alice'), ledger.has('alice', 'rt_deposit')]).toEqual([rt('300'), 0n])
    expect(ledger.account('alice')).toMatchObject({ star: 0, steps_down_at: null })
  })

  test('leaves users who do not step down, and unknown ones', () => {
    ledger.request('alice')
    expect(ledger.returnDeposits('alice', 'stranger')).toBe(0)
    expect(ledger.has('alice', 'rt_deposit')).toBe(rt('250'))
  })
})
