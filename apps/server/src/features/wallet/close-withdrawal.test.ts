import { refusalOf } from '@clearwell/ledger/testing/memory-ledger'
import { beforeEach, describe, expect, test } from 'vitest'
import { chainCursors } from '../../platform/custody/chain-cursors.ts'
import { TREASURY } from '../../platform/ledger/accounts.ts'
import { expireWithdrawals, recordSignature, releaseRefused } from './close-withdrawal.ts'
import { START, TTL_S, WithdrawalLedger } from './testing/withdrawal-ledger.ts'
import { withdrawalOrders } from './withdrawal-orders.ts'

const CHAIN_ID = 31_337
const DEADLINE_MS = START.getTime() + TTL_S * 1_000

let ledger: WithdrawalLedger
beforeEach(() => {
  ledger = new WithdrawalLedger()
})

const sign = (orderId: string, signedBy = 'signer') =>
  ledger.execute(recordSignature({ orderId, signature: `0x${signedBy}`, signedBy })).recorded
const refuse = (orderId: string) => ledger.execute(releaseRefused({ orderId, reason: 'over_account_cap' })).released
const block = (number: bigint, timeMs: number) => ({ number, hash: `0x${number}` as const, time: new Date(timeMs) })
/** The watcher has read up to a block. */
const readUpTo = (number: bigint, timeMs: number) =>
  ledger.put(chainCursors, { id: String(CHAIN_ID), ...block(number, timeMs) })
const expire = (ids: readonly string[], at = block(9n, DEADLINE_MS + 1_000)) =>
  ledger.execute(expireWithdrawals(CHAIN_ID, ids, at)).expired

describe('a signature', () => {
  test('is stored once for a locked order', () => {
    const { id } = ledger.lock('user', 5n)
    expect(sign(id)).toBe(true)
    expect(ledger.order(id)).toMatchObject({ status: 'signed', signature: '0xsigner', signed_by: 'signer' })
    expect(sign(id)).toBe(false)
    expect(ledger.parts('user')).toEqual([0n, 5n])
  })

  test('is stored with the root that its voucher names', () => {
    const [named, plain] = [ledger.lock('user', 5n), ledger.lock('user', 5n)]
    ledger.execute(recordSignature({ orderId: named.id, signature: '0x', signedBy: 'signer', root: 7n }))
    sign(plain.id)
    expect([named, plain].map(({ id }) => ledger.order(id).root)).toEqual([7n, null])
  })

  test('of another signer replaces the one before', () => {
    const { id } = ledger.lock('user', 5n)
    sign(id)
    expect(sign(id, 'next')).toBe(true)
    expect(ledger.order(id)).toMatchObject({ status: 'signed', signature: '0xnext', signed_by: 'next' })
  })

  test.each(['completed', 'expired', 'refused'])('is never stored for an order that is %s', (status) => {
    const order = ledger.lock('user', 5n)
    ledger.put(withdrawalOrders, { ...order, status })
    expect(sign(order.id)).toBe(false)
    expect(ledger.order(order.id).signature).toBeNull()
    expect(sign('unknown')).toBe(false)
  })
})

describe('a refused voucher', () => {
  test('returns its amount once, with the reason', () => {
    const { id } = ledger.lock('user', 5n)
    expect(refuse(id)).toBe(true)
    expect(ledger.order(id)).toMatchObject({
      status: 'refused',
      refused_reason: 'over_account_cap',
      completed_at: START,
    })
    expect(refuse(id)).toBe(false)
    expect(ledger.parts('user')).toEqual([5n, 0n])
  })

  test('keeps its amount once it is signed', () => {
    const { id } = ledger.lock('user', 5n)
    sign(id)
    expect([refuse(id), refuse('unknown')]).toEqual([false, false])
    expect(ledger.parts('user')).toEqual([0n, 5n])
  })
})

describe('an unused voucher', () => {
  test('expires after its deadline, not in its second', () => {
    const { id } = ledger.lock('user', 5n)
    sign(id)
    readUpTo(9n, DEADLINE_MS + 60_000)
    expect(expire([id], block(9n, DEADLINE_MS))).toEqual([])
    expect(expire([id], block(9n, DEADLINE_MS + 1_000))).toEqual([id])
    expect(ledger.order(id).status).toBe('expired')
    expect(ledger.parts('user')).toEqual([5n, 0n])
    expect(expire([id])).toEqual([])
  })

  test("uses the earlier of the block's and the watcher's time", () => {
    const { id } = ledger.lock('user', 5n)
    readUpTo(9n, DEADLINE_MS)
    expect(expire([id])).toEqual([])
    readUpTo(10n, DEADLINE_MS + 1_000)
    expect(expire([id])).toEqual([id])
  })

  test('waits while the watcher has not read that far', () => {
    const { id } = ledger.lock('user', 5n)
    const behind = { refusal: 'conflict', data: { reason: 'cursor_moved' } }
    expect(refusalOf(() => expire([id]))).toEqual(behind)
    readUpTo(8n, DEADLINE_MS + 60_000)
    expect(refusalOf(() => expire([id]))).toEqual(behind)
    expect(ledger.parts('user')).toEqual([0n, 5n])
  })

  test('returns its amount to the account that paid', () => {
    const order = ledger.lock('operator', 5n)
    const own = ledger.lock('user', 2n)
    ledger.put(withdrawalOrders, { ...order, refund_account: TREASURY })
    readUpTo(9n, DEADLINE_MS + 1_000)
    expect(expire([order.id, 'unknown', own.id])).toEqual([order.id, own.id])
    expect(ledger.balance(TREASURY, 'BNB')).toBe(5n)
    expect([ledger.parts('operator'), ledger.parts('user')]).toEqual([
      [0n, 0n],
      [2n, 0n],
    ])
  })

  test('of a paid or refused order returns nothing', () => {
    const [paid, refused] = [ledger.lock('user', 5n), ledger.lock('other', 2n)]
    ledger.put(withdrawalOrders, { ...paid, status: 'completed' })
    refuse(refused.id)
    readUpTo(9n, DEADLINE_MS + 1_000)
    expect(expire([paid.id, refused.id])).toEqual([])
    expect(ledger.parts('other')).toEqual([2n, 0n])
  })
})
