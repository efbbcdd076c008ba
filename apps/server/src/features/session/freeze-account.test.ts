import type { Database } from '@clearwell/ledger/database'
import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { beforeEach, expect, test } from 'vitest'
import { frozenAccounts } from '../../platform/ledger/frozen-accounts.ts'
import { unsentNotices } from '../../platform/notices/unsent-notices.ts'
import { operatorActions } from '../../platform/operator/operator.tables.ts'
import { needsOf } from '../../platform/operator/operator-action.ts'
import { performAction } from '../../testing/perform-action.ts'
import { endFrozenPlans, freezeAccount, freezeInput, unfreezeAccount } from './freeze-account.ts'

const USER = `0x${'a'.repeat(40)}`
const NOW = new Date('2026-11-28T09:00:00Z')
const UNTIL = new Date('2026-12-12T09:00:00Z')
const DAY_S = 86_400

let ledger: MemoryLedger
beforeEach(() => {
  ledger = new MemoryLedger(NOW)
})

const freeze = () => performAction(ledger, freezeAccount, { address: USER })
const freezeAgain = () => performAction(ledger, freezeAccount, { address: USER, again: true })
const unfreeze = () => performAction(ledger, unfreezeAccount, { address: USER })
const notices = () => ledger.rows(unsentNotices).flatMap(({ drafts }) => JSON.parse(drafts))
const changes = () => ledger.rows(operatorActions).map(({ value_before, value_after }) => [value_before, value_after])

test('a freeze lasts 14 days and tells the user why', () => {
  expect(freeze()).toMatchObject({ isDone: true, text: expect.stringContaining('until 2026-12-12T09:00:00.000Z') })
  expect(ledger.rows(frozenAccounts)).toEqual([{ id: USER, frozen_at: NOW, ends_at: UNTIL, reason: 'test' }])
  expect(notices()).toMatchObject([
    { userId: USER, kind: 'account_frozen', params: { reason: 'test', until: '2026-12-12T09:00:00.000Z' } },
  ])
  expect(changes()).toEqual([['free', 'frozen until 2026-12-12T09:00:00.000Z']])
})

test('a renewal counts 14 days from now and keeps the start', () => {
  freeze()
  ledger.advance(10 * DAY_S)
  freezeAgain()
  const until = new Date('2026-12-22T09:00:00Z')
  expect(ledger.row(frozenAccounts, USER)).toMatchObject({ frozen_at: NOW, ends_at: until })
  expect(notices().map(({ kind, key }) => [kind, key])).toEqual([
    ['account_frozen', '2026-11-28T09:00:00.000Z'],
    ['account_frozen', '2026-12-08T09:00:00.000Z'],
  ])
})

test('a freeze within 30 days of an ended one needs two persons', () => {
  freeze()
  ledger.advance(44 * DAY_S - 1)
  expect(freeze()).toEqual({
    isDone: false,
    text: `${USER} was frozen within 30 days: freezing it again takes two persons.`,
  })
  expect([notices().length, changes().length]).toEqual([1, 1])
  expect(freezeAgain()).toMatchObject({ isDone: true })
})

test('a freeze 30 days after an ended one takes one person', () => {
  freeze()
  ledger.advance(44 * DAY_S)
  expect(freeze()).toMatchObject({ isDone: true })
})

test('a freeze after an ended one has a new start', () => {
  freeze()
  ledger.advance(14 * DAY_S)
  freezeAgain()
  expect(ledger.row(frozenAccounts, USER)).toMatchObject({ frozen_at: UNTIL })
  expect(changes()[1]?.[0]).toBe('free')
})

test('an unfreeze ends the freeze now and tells the user', () => {
  freeze()
  ledger.advance(60)
  expect(unfreeze()).toMatchObject({ isDone: true })
  expect(ledger.row(frozenAccounts, USER)?.ends_at).toEqual(new Date('2026-11-28T09:01:00Z'))
  expect(notices()[1]).toMatchObject({ userId: USER, kind: 'account_unfrozen', params: { reason: 'test' } })
  expect(changes()[1]).toEqual(['frozen until 2026-12-12T09:00:00.000Z', 'free'])
})

test('an unfreeze of a free account changes nothing', () => {
  expect(unfreeze()).toEqual({ isDone: false, text: `${USER} is not frozen.` })
  freeze()
  ledger.advance(14 * DAY_S)
  expect(unfreeze().isDone).toBe(false)
  expect(notices()).toHaveLength(1)
})

test('one person freezes, two freeze again, and two of risk unfreeze', () => {
  expect(needsOf(freezeAccount, { address: USER })).toEqual({ role: 'support', persons: 1 })
  expect(needsOf(freezeAccount, { address: USER, again: true })).toEqual({ role: 'support', persons: 2 })
  expect(needsOf(unfreezeAccount, { address: USER })).toEqual({ role: 'risk', persons: 2 })
})

/** A database that answers with the rows of the ledger whose ids are asked for. */
const reading = (query: (text: string, params: readonly unknown[]) => object[]) =>
  ({ query: async (text: string, params: readonly unknown[]) => query(text, params) }) as unknown as Database

test('the input of a freeze says if it comes again', async () => {
  const db = reading((_, params) => ledger.rows(frozenAccounts).filter(({ id }) => JSON.stringify(params).includes(id)))
  const input = (address = USER) => freezeInput(db, address, ledger.now)
  expect(await input()).toEqual({ address: USER })
  freeze()
  expect(await input()).toEqual({ address: USER, again: true })
  const other = `0x${'b'.repeat(40)}`
  expect(await input(other)).toEqual({ address: other })
  ledger.advance(44 * DAY_S)
  expect(await input()).toEqual({ address: USER })
})

test('planned swaps end of accounts that were frozen lately', async () => {
  const asked: unknown[] = []
  const db = reading((_, params) => {
    asked.push(params)
    return [{ id: USER }, { id: 'other' }]
  })
  const ended: unknown[] = []
  await endFrozenPlans(db, NOW, async (...of) => ended.push(of))
  // Those of the last day that have not ended.
  expect(asked).toEqual([[new Date('2026-11-27T09:00:00Z'), NOW]])
  expect(ended).toEqual([
    [USER, 'freeze'],
    ['other', 'freeze'],
  ])
})
