import { expect, test } from 'vitest'
import type { ExitState } from '../../platform/ledger/leaving-accounts.ts'
import { describeExit } from './describe-exit.ts'

const ASKED = new Date('2026-11-01T12:00:00Z')
const AFTER_DAYS = (days: number, ms = 0) => new Date(ASKED.getTime() + days * 86_400_000 + ms)

const describe = (state: ExitState, now: Date) =>
  describeExit({ state, exit_at: ASKED, vault: null }, { payments: [], advances: [], now, vault: '0x7a' })

test.each<[ExitState, Date, string, string[], object]>([
  [
    'requested',
    AFTER_DAYS(0),
    'requested',
    ['repay', 'add_collateral', 'cancel_transfer_out', 'cancel_exit'],
    { what: 'confirmation', at: null },
  ],
  [
    'open',
    AFTER_DAYS(5, -1),
    'open',
    ['repay', 'add_collateral', 'cancel_transfer_out', 'cancel_exit'],
    { what: 'end_of_repaying', at: '2026-11-06T12:00:00.000Z' },
  ],
  [
    'open',
    AFTER_DAYS(5),
    'open',
    ['cancel_transfer_out', 'cancel_exit'],
    { what: 'base', at: '2026-11-07T12:00:00.000Z' },
  ],
  [
    'open',
    AFTER_DAYS(6),
    'open',
    ['cancel_transfer_out', 'cancel_exit'],
    { what: 'ready', at: '2026-11-08T12:00:00.000Z' },
  ],
  [
    'open',
    AFTER_DAYS(7),
    'ready',
    ['cancel_transfer_out', 'cancel_exit', 'finish_exit'],
    { what: 'finish_exit', at: null },
  ],
  ['cancelling', AFTER_DAYS(7), 'cancelling', ['cancel_transfer_out'], { what: 'reopening', at: null }],
])('an exit that is %s at %s is %s', (state, now, shown, allowed, next) => {
  expect(describe(state, now)).toMatchObject({ state: shown, allowed, next })
})

test('without an open exit, an account sees its payments and advances', () => {
  const payment = { id: '1', user_id: '0xa', asset: 'BNB' as const, units: 15n * 10n ** 17n, missing: 0n, block: 1n }
  const paid = { ...payment, receiver: '0xc', tx_hash: '0x1', booked_at: ASKED, taken_back_at: null, base: 1n }
  const none = {
    state: 'none',
    vault: null,
    requested_at: null,
    base_at: null,
    repay_until: null,
    ready_at: null,
    allowed: [],
    next: null,
  }
  const listed = [
    { asset: 'BNB', amount: '1.5', receiver: '0xc', tx_hash: '0x1', booked_at: '2026-11-01T12:00:00.000Z' },
  ]
  const advance = {
    id: '',
    user_id: '0xa',
    asset: 'BNB' as const,
    to_insurance: 10n ** 18n,
    to_treasury: 5n * 10n ** 17n,
  }
  const advances = [{ ...advance, changed_at: ASKED }]
  const owed = [{ asset: 'BNB', amount: '1.5' }]
  const described = describeExit(undefined, { payments: [paid], advances, now: ASKED, vault: '0x7a' })
  expect(described).toEqual({ ...none, paid: listed, owed })
  expect(describe('closed', ASKED)).toEqual({ ...none, paid: [], owed: [] })
})

test.each([
  [null, '0x7a'],
  ['0x7b', '0x7b'],
])('an exit with the vault %s is ready at %s', (vault, shown) => {
  const row = { state: 'open' as const, exit_at: ASKED, vault }
  const described = describeExit(row, { payments: [], advances: [], now: AFTER_DAYS(7), vault: '0x7a' })
  expect(described).toEqual({
    ...{ state: 'ready', vault: shown, requested_at: '2026-11-01T12:00:00.000Z', base_at: '2026-11-07T12:00:00.000Z' },
    ...{ repay_until: '2026-11-06T12:00:00.000Z', ready_at: '2026-11-08T12:00:00.000Z' },
    ...{ allowed: ['cancel_transfer_out', 'cancel_exit', 'finish_exit'], next: { what: 'finish_exit', at: null } },
    ...{ paid: [], owed: [] },
  })
})
