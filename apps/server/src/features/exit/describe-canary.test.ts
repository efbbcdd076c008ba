import { expect, test } from 'vitest'
import type { ExitPaymentRow } from '../../platform/custody/exit-payments.ts'
import { type CanaryExit, canaryDueAt, describeCanaryExit } from './describe-canary.ts'

const ASKED = new Date('2026-11-01T00:00:00Z')
const at = (days: number, seconds = 0) => new Date(ASKED.getTime() + (days * 86_400 + seconds) * 1_000)
const TX = `0x${'99'.repeat(32)}`

const payment: ExitPaymentRow = {
  ...{ id: `56:${TX}:3`, user_id: `0x${'ca'.repeat(20)}`, asset: 'USDT', units: 40n * 10n ** 18n, missing: 0n },
  ...{ receiver: `0x${'ca'.repeat(20)}`, tx_hash: TX, block: 12n, booked_at: at(7, 60), taken_back_at: null, base: 4n },
}
const exit = (more: Partial<CanaryExit> = {}): CanaryExit => ({
  ...{ requestedAt: ASKED, requestTx: TX, block: 10n, endedAt: undefined, payments: [] },
  ...more,
})

test.each([
  ['waiting', exit(), at(7, -1)],
  ['ready', exit(), at(7)],
  ['ready', exit({ payments: [payment] }), at(8, -1)],
  ['overdue', exit(), at(8)],
  ['overdue', exit({ payments: [payment] }), at(8)],
  ['paid', exit({ payments: [payment], endedAt: at(7, 90) }), at(30)],
  ['unpaid', exit({ endedAt: at(1) }), at(30)],
] as const)('an exit is %s (%#)', (state, each, now) => {
  expect(describeCanaryExit(each, now).state).toBe(state)
})

test('an exit names its transactions, amounts and times', () => {
  expect(describeCanaryExit(exit({ payments: [payment], endedAt: at(7, 90) }), at(8))).toEqual({
    ...{ state: 'paid', requested_at: '2026-11-01T00:00:00.000Z', ready_at: '2026-11-08T00:00:00.000Z' },
    ...{ request_tx: TX, ended_at: '2026-11-08T00:01:30.000Z' },
    paid: [{ asset: 'USDT', amount: '40', tx_hash: TX, booked_at: '2026-11-08T00:01:00.000Z' }],
  })
})

test('the canary ends its exit in one day, asks again in two', () => {
  expect(canaryDueAt(exit(), at(0))).toEqual(at(8))
  expect(canaryDueAt(exit({ endedAt: at(7, 90) }), at(0))).toEqual(at(9, 90))
  expect(canaryDueAt(undefined, at(20))).toEqual(at(22))
})
