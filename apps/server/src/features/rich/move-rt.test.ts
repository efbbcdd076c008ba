import { boundsOfDay, hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { beforeEach, describe, expect, test } from 'vitest'
import { RT_EARNINGS } from '../../platform/ledger/accounts.ts'
import { releaseRt } from './release-rt.ts'
import { richConfig, richRules } from './rich.config.ts'
import { richAccounts, richCollected, richRequests } from './rich.tables.ts'
import { RichLedger, refused, rt } from './testing/rich-ledger.ts'

let ledger: RichLedger
beforeEach(() => {
  ledger = new RichLedger()
  ledger.join('alice', { has: '30000' })
})

describe('a deposit', () => {
  test('moves RT into the hub and says what the next star needs', () => {
    expect(ledger.deposit('alice', '45')).toMatchObject({
      next: 1,
      deposit: '45',
      required: '100',
      missing: '55',
      progress: '0.45',
      wallet_balance: '29955',
    })
    expect([ledger.has('alice'), ledger.has('alice', 'rt_deposit')]).toEqual([rt('29955'), rt('45')])
  })

  test('is refused above the wallet, to the unit', () => {
    ledger.join('bob', { has: '10' })
    expect(refused(() => ledger.deposit('bob', '10.000000000000000001'))).toEqual({
      rt_balance_not_enough: { available: '10' },
    })
    expect(ledger.deposit('bob', '10')).toMatchObject({ wallet_balance: '0' })
  })

  test('is refused above the highest star, to the unit', () => {
    ledger.deposit('alice', '600')
    expect(refused(() => ledger.deposit('alice', '25000.000000000000000001'))).toEqual({
      amount_out_of_range: { max: '25000' },
    })
    expect(ledger.deposit('alice', '25000')).toMatchObject({ deposit: '25600' })
    expect(refused(() => ledger.deposit('alice', '1'))).toEqual({ amount_out_of_range: { max: '0' } })
  })

  test('is refused without activation, without a UID, and while stepping down', () => {
    expect(refused(() => ledger.deposit('stranger', '1'))).toEqual({ not_activated: {} })
    ledger.join('bob', { has: '10', uid: null })
    expect(refused(() => ledger.deposit('bob', '1'))).toEqual({ uid_not_linked: {} })
    ledger.deposit('alice', '100')
    ledger.request('alice')
    ledger.stepDown('alice')
    expect(refused(() => ledger.deposit('alice', '1'))).toEqual({
      conflict: { reason: 'stepping_down', returns_at: '2026-11-29T00:00:00.000Z' },
    })
  })
})

// A restore looks in the row for the owner of the deposit.
test('every move of a deposit carries the row of its account', () => {
  const carried = () => ledger.executed.at(-1)?.plan.rows
  ledger.deposit('alice', '45')
  const account = ledger.account('alice')
  expect(carried()).toEqual([{ table: richAccounts, row: account }])
  ledger.takeBack('alice')
  expect(carried()).toEqual([{ table: richAccounts, row: account }])
})

describe('taking back', () => {
  test('returns everything without a star, also without activation', () => {
    ledger.deposit('alice', '45')
    ledger.deactivate('alice')
    expect(ledger.takeBack('alice')).toMatchObject({ deposit: '0', spare: '0', wallet_balance: '30000' })
    expect(refused(() => ledger.takeBack('alice'))).toEqual({ conflict: { reason: 'nothing_to_return' } })
  })

  test('leaves exactly what the star needs', () => {
    ledger.deposit('alice', '100.5')
    ledger.request('alice')
    expect(ledger.takeBack('alice')).toMatchObject({ deposit: '100', star: 1, wallet_balance: '29900' })
    expect(refused(() => ledger.takeBack('alice'))).toEqual({ conflict: { reason: 'nothing_to_return' } })
  })

  test('withdraws an open request, because its deposit leaves', () => {
    ledger.deposit('alice', '100')
    const { request_id: id } = ledger.request('alice', 'parent')
    expect(ledger.takeBack('alice')).toMatchObject({ request: null })
    expect(ledger.row(richRequests, id)).toMatchObject({ status: 'Withdrawn', passes_at: null })
    expect(ledger.account('alice')).toMatchObject({ request_id: null })
  })

  test('is refused without a UID', () => {
    expect(refused(() => ledger.takeBack('stranger'))).toEqual({ uid_not_linked: {} })
  })
})

describe('collecting', () => {
  const RULES = richRules({ rich: richConfig.shape.rich.parse(undefined) })
  /** Goes to the end of the present day and releases it. */
  function endDay(): void {
    const day = hongKongDayOf(ledger.now)
    ledger.now = boundsOfDay(day).closesAt
    ledger.execute(releaseRt(RULES, day))
  }

  test('pays everything that was earned, once, also without activation', () => {
    ledger.deposit('alice', '100')
    ledger.request('alice')
    endDay()
    endDay()
    endDay()
    ledger.deactivate('alice')
    // 0.1 RT for each of two whole days.
    expect(ledger.collect('alice')).toMatchObject({ to_be_collected: '0', wallet_balance: '29900.2' })
    expect(ledger.balance(RT_EARNINGS, 'RT')).toBe(0n)
    expect(ledger.account('alice')).toMatchObject({ to_collect: 0n, collected: rt('0.2') })
    expect(refused(() => ledger.collect('alice'))).toEqual({ conflict: { reason: 'nothing_to_collect' } })
    expect(ledger.rows(richCollected)).toEqual([
      { id: 'alice:2026-11-25', user_id: 'alice', day: '2026-11-25', units: rt('0.2') },
    ])
  })

  test('is refused without a UID', () => {
    expect(refused(() => ledger.collect('stranger'))).toEqual({ uid_not_linked: {} })
  })
})
