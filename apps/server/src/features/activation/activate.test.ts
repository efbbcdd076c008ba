import type { Context, State } from '@clearwell/ledger/command'
import { MemoryLedger, refusalOf } from '@clearwell/ledger/testing/memory-ledger'
import type { Writer } from '@clearwell/ledger/writer'
import type { Amount } from '@clearwell/money/amount'
import { beforeEach, describe, expect, test } from 'vitest'
import { acceptedTerms } from '../../domain/members/accepted-terms.ts'
import { members } from '../../domain/members/members.ts'
import type { DepositDesk } from '../../platform/custody/deposit-desk.ts'
import type { Unconfirmed } from '../../platform/custody/unconfirmed.ts'
import { INSURANCE, userAccount } from '../../platform/ledger/accounts.ts'
import { depositOrders } from '../../platform/ledger/deposit-orders.ts'
import { fixedRule } from '../../testing/fixed-rule.ts'
import { type ActivationRules, activateByBalance, activationPurpose, orderActivation } from './activate.ts'
import { activationHandlers } from './activation.handlers.ts'
import type { ActivationOrderRow, ActivationStore } from './activation.store.ts'

const USER = '0x00000000000000000000000000000000000000aa'
const NOW = new Date('2026-11-21T09:00:00Z')
const context: Context = { now: NOW, id: (label) => label }
const usdt = (units: bigint) => ({ asset: 'USDT', units }) as const

/** A pending account whose order says `amount`, with the amount credited and the amount still available. */
function pending(
  amount: bigint,
  {
    credited,
    available = credited,
    activatedAt = null,
    asset = 'USDT',
    open = 'order',
  }: { credited: bigint; available?: bigint; activatedAt?: Date | null; asset?: string; open?: string },
): State {
  const order = { id: 'order', user_id: USER, purpose: 'activation', asset, amount, credited }
  const state: State = {
    balance: (account) => (account === `user:${USER}:available` ? available : 0n),
    rows: (table, ids) => ids.map((id) => state.row(table, id)),
    row(table, id) {
      const rows: Record<string, unknown> = {
        [`${depositOrders.name} order`]: { ...order, tx_hash: null, created_at: NOW, expires_at: NOW },
        [`${members.name} ${USER}`]: { id: USER, activated_at: activatedAt, activation_order_id: open },
      }
      return rows[`${table.name} ${id}`] as never
    },
  }
  return state
}

const rules = (price: bigint): ActivationRules => ({
  price: usdt(price),
  opening: 'always',
  orderTtlMs: 1_000,
  terms: null,
})
const settle = (price: bigint, state: State) =>
  activationPurpose(rules(price)).settle(state, context, { userId: USER, orderId: 'order' })

test.each([
  ['the price is still that', 10n],
  ['the price has fallen', 5n],
  ['the price has risen', 20n],
])('a fully paid order charges its price and activates, where %s', (_name, price) => {
  const { entries, rows } = settle(price, pending(10n, { credited: 12n }))
  expect(entries).toEqual([
    {
      kind: 'activation',
      reference: 'order',
      postings: [
        { account: `user:${USER}:available`, asset: 'USDT', units: -10n },
        { account: 'insurance', asset: 'USDT', units: 10n },
      ],
    },
  ])
  expect(rows?.map((each) => each.row)).toEqual([
    { id: USER, activated_at: NOW, activation_order_id: null },
    { id: USER, number: 1n },
    { id: 'activation', number: 1n },
  ])
})

test('payments that come to less than the order asks for settle nothing', () => {
  for (const price of [5n, 10n]) {
    expect(settle(price, pending(10n, { credited: 9n, available: 100n }))).toEqual({ entries: [], rows: [] })
  }
})

test('an order whose first payment was spent charges nothing and closes', () => {
  const { entries, rows } = settle(10n, pending(10n, { credited: 10n, available: 9n }))
  expect(entries).toEqual([])
  expect(rows?.map((each) => each.row)).toEqual([{ id: USER, activated_at: null, activation_order_id: null }])
  expect(settle(10n, pending(10n, { credited: 19n, available: 10n })).entries).toHaveLength(1)
})

test('a payment for an account that is activated already settles nothing', () => {
  expect(settle(10n, pending(10n, { credited: 20n, activatedAt: NOW }))).toEqual({ entries: [], rows: [] })
})

test('no order of another asset is settled, and none that is unknown', () => {
  const nothing = { entries: [], rows: [] }
  expect(activationPurpose(rules(10n)).name).toBe('activation')
  expect(settle(10n, pending(10n, { credited: 10n, asset: 'BNB' }))).toEqual(nothing)
  expect(settle(10n, new MemoryLedger(NOW))).toEqual(nothing)
})

test('an order that is covered late leaves the one that is open', () => {
  const spent = { credited: 10n, available: 9n, open: 'another' }
  expect(settle(10n, pending(10n, spent))).toEqual({ entries: [], rows: [] })
  // Without the member's row, too: it was never written for a payer who has not signed in.
  const unknown = pending(10n, spent)
  const row: State['row'] = (table, id) => (table === (members as unknown) ? undefined : unknown.row(table, id))
  expect(settle(10n, { ...unknown, row })).toEqual({ entries: [], rows: [] })
})

/** 17:00 in Hong Kong. */
const OPEN_UNTIL_NOW = { opens: '09:30', closes: '17:00' } as const
const NEXT_OPENING = '2026-11-22T01:30:00.000Z'

describe('on a ledger', () => {
  let ledger: MemoryLedger
  beforeEach(() => {
    ledger = new MemoryLedger(NOW)
  })
  const available = userAccount(USER, 'available')
  const give = (units: bigint, asset = 'USDT') => ledger.add(available, asset, units)
  const input = { userId: USER, key: undefined }
  const byBalance = (opening: ActivationRules['opening'] = 'always') =>
    ledger.execute(activateByBalance({ ...rules(10n), opening }, input))
  const order = (opening: ActivationRules['opening'] = 'always') =>
    ledger.execute(orderActivation({ ...rules(10n), opening }, input)).orderId
  const state = () => [ledger.balance(available, 'USDT'), ledger.balance(INSURANCE, 'USDT'), ledger.row(members, USER)]
  const closed = { refusal: 'not_open', data: { opens_at: NEXT_OPENING } }

  describe('activation by balance', () => {
    test('moves the price to insurance, and activates', () => {
      give(25n)
      expect(byBalance()).toEqual({ status: 2 })
      expect(state()).toEqual([15n, 10n, { id: USER, activated_at: NOW, activation_order_id: null }])
    })

    test('needs the price to the unit, in its asset', () => {
      give(9n)
      give(1_000n, 'BNB')
      expect(refusalOf(byBalance)).toEqual({ refusal: 'balance_not_enough', data: {} })
      expect(state()).toEqual([9n, 0n, undefined])
      give(1n)
      expect(byBalance()).toEqual({ status: 2 })
      expect(ledger.balance(available, 'USDT')).toBe(0n)
    })

    test('charges an activated account nothing, also outside opening hours', () => {
      give(25n)
      byBalance()
      expect(byBalance(OPEN_UNTIL_NOW)).toEqual({ status: 2 })
      expect(state().slice(0, 2)).toEqual([15n, 10n])
    })

    test('closes an open order', () => {
      order()
      give(10n)
      byBalance()
      expect(ledger.row(members, USER)).toMatchObject({ activated_at: NOW, activation_order_id: null })
    })

    test('is refused outside opening hours, and names the next opening', { tags: ['§9.45'] }, () => {
      give(25n)
      expect(refusalOf(() => byBalance(OPEN_UNTIL_NOW))).toEqual(closed)
      expect(state()).toEqual([25n, 0n, undefined])
      ledger.now = new Date(NEXT_OPENING)
      expect(byBalance(OPEN_UNTIL_NOW)).toEqual({ status: 2 })
    })
  })

  describe('terms', () => {
    const at = (terms: string | null): ActivationRules => ({ ...rules(10n), terms })
    const balance = (terms: string | null, termsVersion?: string) =>
      ledger.execute(activateByBalance(at(terms), { ...input, termsVersion }))
    const order = (terms: string | null, termsVersion?: string) =>
      ledger.execute(orderActivation(at(terms), { ...input, termsVersion }))
    const accepted = () => ledger.rows(acceptedTerms)
    const row = (version: string, accepted_at: Date) => ({
      id: `${USER}:${version}`,
      user_id: USER,
      version,
      accepted_at,
    })
    const unknown = { refusal: 'conflict', data: { reason: 'unknown_terms' } }

    test.each([
      ['by balance', balance],
      ['by wallet', order],
    ])('are stored with version and time at an activation %s', (_way, activate) => {
      give(10n)
      activate('v1', 'v1')
      expect(accepted()).toEqual([row('v1', NOW)])
    })

    test.each([
      ['by balance', balance],
      ['by wallet', order],
    ])('of an unknown version refuse an activation %s', (_way, activate) => {
      give(10n)
      expect(refusalOf(() => activate('v2', 'v1'))).toEqual(unknown)
      expect(refusalOf(() => activate(null, 'v1'))).toEqual(unknown)
      expect([accepted(), ledger.row(members, USER)]).toEqual([[], undefined])
    })

    test('are optional: a client of before activates without', () => {
      give(10n)
      expect(balance('v1')).toEqual({ status: 2 })
      expect(accepted()).toEqual([])
    })

    test('keep their first time, and a later version is added', () => {
      order('v1', 'v1')
      ledger.advance(1)
      order('v1', 'v1')
      give(10n)
      balance('v1', 'v1')
      expect(accepted()).toEqual([row('v1', NOW)])
      balance('v2', 'v2')
      expect(accepted()).toEqual([row('v1', NOW), row('v2', ledger.now)])
      expect(ledger.balance(available, 'USDT')).toBe(0n)
    })
  })

  describe('an activation order', () => {
    test('asks for the price until it expires, and is kept', () => {
      const id = order()
      expect(ledger.row(depositOrders, id)).toMatchObject({
        ...{ user_id: USER, purpose: 'activation', asset: 'USDT', amount: 10n, credited: 0n, created_at: NOW },
        expires_at: new Date(NOW.getTime() + 1_000),
      })
      expect(order()).toBe(id)
      expect(ledger.rows(depositOrders)).toHaveLength(1)
    })

    test('is refused outside opening hours, but an open one is returned', () => {
      expect(refusalOf(() => order(OPEN_UNTIL_NOW))).toEqual(closed)
      ledger.advance(-1)
      const id = order(OPEN_UNTIL_NOW)
      ledger.advance(1)
      expect(order(OPEN_UNTIL_NOW)).toBe(id)
    })

    test('is refused once the account is activated', () => {
      give(10n)
      byBalance()
      expect(refusalOf(order)).toEqual({ refusal: 'conflict', data: { reason: 'already_activated' } })
    })
  })
})

test('an activation binds its key to the version of the terms', () => {
  const input = { userId: USER, key: 'key' }
  const commands = [activateByBalance(rules(10n), input), orderActivation(rules(10n), input)]
  const bound = commands.map(({ kind, owner, key, payload, worksUnproven }) => [
    ...[kind, owner, key, payload, worksUnproven],
  ])
  expect(bound).toEqual([
    ['activate_by_balance', USER, 'key', {}, undefined],
    ['order_activation', USER, 'key', {}, true],
  ])
  const accepted = { ...input, termsVersion: 'v1' }
  expect(activateByBalance(rules(10n), accepted).payload).toEqual({ termsVersion: 'v1' })
  expect(orderActivation(rules(10n), accepted).payload).toEqual({ termsVersion: 'v1' })
})

test('a partly paid order asks for the rest and is not credited', async () => {
  const order = { id: '0x01', amount: 10n ** 19n, credited: 4n * 10n ** 18n, tx_hash: '0xfirst' }
  const found = await statusWith(order, undefined)
  expect(found).toMatchObject({
    status: 1,
    order: {
      amount: '6',
      status: 'created',
      tx_hash: null,
      confirmations: 0,
      calldata: '6000000000000000000 for 0x01',
    },
  })
})

test('an open order shows its price and its payment with confirmations', async () => {
  const order = { id: '0x01', amount: 10n ** 19n, credited: 0n, tx_hash: null }
  expect(await statusWith(order, { txHash: '0xhash', confirmations: 7 })).toEqual({
    status: 1,
    price: '20',
    asset: 'USDT',
    order: {
      order_id: '0x01',
      to: '0xvault',
      asset: 'USDT',
      amount: '10',
      status: 'seen',
      calldata: '10000000000000000000 for 0x01',
      value: '0',
      tx_hash: '0xhash',
      confirmations: 7,
      required: 15,
    },
  })
})

/** Returns the response of `getActiveStatus` for a price of 20 and this open order. */
function statusWith(order: ActivationOrderRow, seen: { txHash: string; confirmations: number } | undefined) {
  const store = {
    member: async () => ({ activated_at: null, activation_order_id: order.id }),
    order: async () => order,
  }
  const desk = {
    required: 15,
    callFor: (amount: Amount, orderId: string) => ({
      to: '0xvault',
      calldata: `${amount.units} for ${orderId}`,
      value: '0',
    }),
    unconfirmedOf: async () => ({ progressOf: () => seen }) as Partial<Unconfirmed> as Unconfirmed,
  }
  const { getActiveStatus } = activationHandlers({
    store: store as Partial<ActivationStore> as ActivationStore,
    desk: desk as Partial<DepositDesk> as DepositDesk,
    writer: {} as Writer,
    clock: { now: () => NOW },
    rules: fixedRule(rules(2n * 10n ** 19n)),
  })
  const user = { id: USER, parentId: null, tokenHash: '' }
  return getActiveStatus({}, { user, locale: 'en', idempotencyKey: undefined, clientAddress: '::1' })
}
