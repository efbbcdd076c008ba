import type { Queryable } from '@clearwell/ledger/database'
import { Draft } from '@clearwell/ledger/draft'
import { transfer } from '@clearwell/ledger/transfer'
import { beforeEach, expect, test } from 'vitest'
import { loanRatioNodes, loans } from '../../domain/lending/lending.tables.ts'
import { newPledgedPool } from '../../features/stake/testing/pledged-pool.ts'
import { userAccount } from '../../platform/ledger/accounts.ts'
import { type LendingLedger, units } from '../../testing/lending-ledger.ts'
import { changeCollateral, findForeignCollateral } from './rebuild-collateral.ts'

/** The ledger of before the loss, and the one that a restore continues from its backup. */
let lost: LendingLedger
let restored: LendingLedger
let orderId: string
beforeEach(() => {
  const ledgers = [newPledgedPool(), newPledgedPool()] as const
  const orders = ledgers.map((ledger) => ledger.borrow('user', '8', '2000').order_id)
  ;[lost, restored] = ledgers
  orderId = orders[0] as string
  for (const ledger of ledgers) ledger.advance(3_600)
  lost.setPrice('600')
})

/** @param amount into the collateral, or out of it with a minus. */
function entryOf(
  amount: string,
  more: { readonly user?: string; readonly asset?: string; readonly kind?: string } = {},
) {
  const { user = 'user', asset = 'BNB' } = more
  const [available, collateral] = [userAccount(user, 'available'), userAccount(user, 'collateral')]
  const isReturned = amount.startsWith('-')
  const [from, to] = isReturned ? [collateral, available] : [available, collateral]
  const postings = transfer({ from, to, asset, units: units(amount.replace('-', '')) })
  const kind = more.kind ?? (isReturned ? 'collateral_returned' : 'collateral_added')
  return { seq: 9n, kind, reference: orderId, postings, at: restored.now }
}

const importInto = (ledger: LendingLedger, entry: ReturnType<typeof entryOf>) =>
  ledger.execute({
    ...{ kind: 'restore_entry', owner: 'restore', payload: {}, preload: [] },
    decide(state) {
      const draft = new Draft(state)
      changeCollateral(draft, entry)
      return draft.plan(null)
    },
  })

const stateOf = (ledger: LendingLedger) => ({
  loans: ledger.rows(loans),
  nodes: ledger.rows(loanRatioNodes),
  held: [ledger.has('user', 'BNB'), ledger.has('user', 'BNB', 'collateral')],
})

const foreignAmong = async (...entries: ReturnType<typeof entryOf>[]) => {
  const db = { query: async () => restored.rows(loans) } as unknown as Queryable
  return (await findForeignCollateral(db, entries))?.postings
}

test('a restore changes a loan and its index as the command did', () => {
  lost.addCollateral('user', orderId, '1.5')
  importInto(restored, entryOf('1.5'))
  expect(stateOf(restored)).toEqual(stateOf(lost))
  lost.removeCollateral('user', orderId, '3')
  importInto(restored, entryOf('-3'))
  expect(stateOf(restored)).toEqual(stateOf(lost))
  expect(restored.row(loans, orderId)?.collateral).toBe(units('6.5'))
})

test('a restored loan is repaid as before', () => {
  lost.addCollateral('user', orderId, '1')
  importInto(restored, entryOf('1'))
  for (const ledger of [lost, restored]) expect(ledger.repay('user', orderId, 'all')).toMatchObject({ status: 1 })
  expect(stateOf(restored)).toEqual(stateOf(lost))
  expect(restored.has('user', 'BNB')).toBe(units('10'))
})

test('a loan to be cleared keeps its status until a judgement', () => {
  restored.setPrice('290')
  restored.judge(orderId)
  importInto(restored, entryOf('2'))
  expect(restored.row(loans, orderId)).toMatchObject({ status: 0, collateral: units('10') })
  restored.setPrice('600')
  restored.judge(orderId)
  expect(restored.row(loans, orderId)).toMatchObject({ status: 2, collateral: units('10') })
})

test('an entry of another loan is found before anything is imported', async () => {
  expect(await foreignAmong(entryOf('1'), entryOf('-8.9'))).toBeUndefined()
  const foreign = [
    entryOf('-8'),
    entryOf('1', { user: 'other' }),
    entryOf('1', { asset: 'USDT' }),
    entryOf('1', { kind: 'collateral_returned' }),
    entryOf('-1', { kind: 'collateral_added' }),
    { ...entryOf('1'), reference: 'loan-of-the-gap' },
  ]
  for (const entry of foreign) {
    expect(await foreignAmong(entry)).toEqual(entry.postings)
    expect(() => importInto(restored, entry)).toThrow('entry 9 changes the collateral of no open loan')
  }
  restored.repay('user', orderId, 'all')
  expect(await foreignAmong(entryOf('1'))).toEqual(entryOf('1').postings)
})
