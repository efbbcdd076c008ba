import { beforeEach, describe, expect, test } from 'vitest'
import { TREASURY, userAccount } from '../../platform/ledger/accounts.ts'
import { breakers } from '../../platform/ledger/breaker.ts'
import { treasuryDebts } from '../../platform/ledger/treasury-debts.ts'
import { performAction } from '../../testing/perform-action.ts'
import { START, TTL_S, WithdrawalLedger } from './testing/withdrawal-ledger.ts'
import { withdrawTreasury } from './withdraw-treasury.ts'

const OPERATOR = `0x${'a'.repeat(40)}`

let ledger: WithdrawalLedger
beforeEach(() => {
  ledger = new WithdrawalLedger()
  ledger.add(TREASURY, 'BNB', 100n)
})

const withdraw = (units: string, more: object = {}) =>
  performAction(ledger, withdrawTreasury, {
    ...{ operator: OPERATOR, asset: 'BNB', units, voucherTtlMs: TTL_S * 1_000 + 999 },
    ...more,
  })
const held = () => [ledger.balance(TREASURY, 'BNB'), ledger.balance(userAccount(OPERATOR, 'locked'), 'BNB')]

describe('a transfer out of the treasury', () => {
  test('locks the amount for the operator, and returns there unused', () => {
    const result = withdraw('40')
    expect(result).toMatchObject({ isDone: true, text: expect.stringContaining(`pays 0.00000000000000004 BNB to`) })
    expect(held()).toEqual([60n, 40n])
    expect(ledger.order(result.orderId ?? '')).toMatchObject({
      user_id: OPERATOR,
      amount: 40n,
      status: 'locked',
      // A whole second.
      deadline: new Date(START.getTime() + TTL_S * 1_000),
      refund_account: TREASURY,
    })
  })

  test('takes no unit more than the treasury has free', () => {
    ledger.put(treasuryDebts, { id: 'BNB', units: 30n })
    const short = { isDone: false, text: 'The treasury has only 0.00000000000000007 BNB.' }
    expect(withdraw('71')).toEqual(short)
    expect(held()).toEqual([100n, 0n])
    expect(withdraw('70')).toMatchObject({ isDone: true })
  })

  test('is not done while the solvency breaker is open', () => {
    ledger.put(breakers, { id: 'solvency', stopped_at: START, reason: 'insolvent', detail: 'the vault lacks 1 BNB' })
    expect(withdraw('1')).toEqual({ isDone: false, text: 'The solvency breaker is open: nothing is paid out.' })
    expect(held()).toEqual([100n, 0n])
  })

  test('is not done while a move to another vault is prepared', () => {
    ledger.put(breakers, { id: 'vault_move', stopped_at: START, reason: 'withdrawals_paused', detail: '' })
    expect(withdraw('1')).toEqual({
      isDone: false,
      text: 'Transfers out are stopped to move to another vault: nothing is paid out.',
    })
    ledger.put(breakers, { id: 'vault_move', stopped_at: null, reason: null, detail: null })
    expect(withdraw('1')).toMatchObject({ isDone: true })
  })

  test.each([
    { asset: 'RT' },
    ...['0', '01', '-1', '1 ', '1.5', ''].map((units) => ({ units })),
    ...[OPERATOR.toUpperCase(), `${OPERATOR}0`, ` ${OPERATOR}`, OPERATOR.slice(0, -1)].map((operator) => ({
      operator,
    })),
    { voucherTtlMs: 0.5 },
    { receiver: OPERATOR },
  ])('rejects %o', (wrong) => {
    expect(() => withdraw('1', wrong)).toThrow(Object.keys(wrong)[0])
    expect(held()).toEqual([100n, 0n])
  })
})
