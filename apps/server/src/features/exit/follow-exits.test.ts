import { Draft } from '@clearwell/ledger/draft'
import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { beforeEach, expect, test } from 'vitest'
import { chainCursors } from '../../platform/custody/chain-cursors.ts'
import { type ExitRow, exitActs, exits } from '../../platform/ledger/leaving-accounts.ts'
import { closeAtReplaced, type ExitChange, noteExisting, noteTip, passChanges } from './follow-exits.ts'

const USER = `0x${'a'.repeat(40)}`
const [VAULT, NEW_VAULT] = ['0xold', '0xnew']
const NOW = new Date('2026-11-28T09:00:00Z')
const at = (block: bigint) => new Date(NOW.getTime() + Number(block) * 1_000)

const request = (blockNumber: bigint, account = USER, vault = VAULT): ExitChange => ({
  ...{ kind: 'request', vault, account, blockNumber, at: at(blockNumber), txHash: `0x${blockNumber}`, logIndex: 0 },
})
const cancel = (blockNumber: bigint, vault = VAULT): ExitChange => ({
  ...{ kind: 'cancel', vault, account: USER, blockNumber, txHash: `0x${blockNumber}`, logIndex: 0 },
})

let ledger: MemoryLedger
beforeEach(() => {
  ledger = new MemoryLedger(NOW)
})

const tip = (last?: ExitChange) => ledger.execute(noteTip([{ account: USER, last }]))
const pass = (...changes: ExitChange[]) =>
  ledger.execute({
    ...{ kind: 'test', owner: 'test', payload: {}, preload: [] },
    decide(state, context) {
      const draft = new Draft(state)
      passChanges(draft, context, { chainId: 56, changes, known: new Set([USER]) })
      return draft.plan(null)
    },
  })
/** The row of a request in block 10. */
const OPEN: ExitRow = {
  ...{ id: USER, state: 'open', exit_at: at(10n), block: 10n, changed_at: NOW, owes: false, vault: VAULT },
}
const state = () => ledger.row(exits, USER)?.state

test('a request locks at the tip and goes on behind the cursor', () => {
  expect(tip(request(10n))).toBe(1)
  expect(ledger.row(exits, USER)).toEqual({ ...OPEN, state: 'requested' })
  expect(tip(request(10n))).toBe(0)
  pass(request(10n))
  expect(ledger.row(exits, USER)).toEqual(OPEN)
  expect(tip()).toBe(0)
})

test('a first request behind the cursor owes nothing; later ones keep debts', () => {
  pass(request(10n))
  expect(ledger.row(exits, USER)).toEqual(OPEN)
  ledger.put(exits, { ...OPEN, state: 'closed', owes: true })
  pass(request(12n))
  expect(ledger.row(exits, USER)).toEqual({ ...OPEN, exit_at: at(12n), block: 12n, owes: true })
})

test('an account created after its request is locked at the cursor', () => {
  const note = () => {
    const of = { chainId: 56, vault: VAULT, account: USER, at: at(10n), block: 20n }
    const response = ledger.execute(noteExisting(of))
    return [response, ledger.row(exits, USER)]
  }
  const moveCursor = (number: bigint) => ledger.put(chainCursors, { id: '56', number, hash: '0x9', time: NOW })
  expect(note()).toEqual([false, undefined])
  moveCursor(21n)
  expect(note()).toEqual([false, undefined])
  moveCursor(20n)
  expect(note()).toEqual([true, { ...OPEN, block: 20n }])
  // From then on it is followed as any other.
  const closed = { ...OPEN, state: 'closed' as const }
  ledger.put(exits, closed)
  expect(note()).toEqual([true, closed])
})

test('a cancel in the block of its request ends it', () => {
  pass(request(10n), { ...cancel(10n), logIndex: 1 })
  expect(state()).toBe('closed')
})

test('an exit of before ends by a cancel at any vault', () => {
  ledger.put(exits, { ...OPEN, vault: null })
  tip(cancel(20n, NEW_VAULT))
  expect(state()).toBe('cancelling')
  pass(cancel(20n, NEW_VAULT))
  expect(state()).toBe('closed')
})

test('a reorganisation that removes the request unlocks', () => {
  tip(request(10n))
  tip()
  expect(state()).toBe('closed')
})

test('a cancel unlocks when the cursor has passed it', () => {
  pass(request(10n))
  tip(cancel(20n))
  expect(state()).toBe('cancelling')
  pass(cancel(20n))
  expect(state()).toBe('closed')
})

test('a reorganisation that removes the cancel keeps the lock', () => {
  pass(request(10n))
  tip(cancel(20n))
  tip()
  expect(state()).toBe('open')
})

test('a booked cancel that a reorganisation removes locks until it is back', () => {
  pass(request(10n))
  pass(cancel(20n))
  expect(state()).toBe('closed')
  // The operator moves the watcher back, as `rewind_watcher` does.
  const [row, act] = [ledger.row(exits, USER), ledger.row(exitActs, '56:0x20:0')]
  if (!row || !act) throw new Error('nothing was booked')
  ledger.put(exits, { ...row, state: 'open' })
  ledger.put(exitActs, { ...act, is_void: true })
  tip()
  expect(state()).toBe('open')
  pass({ ...cancel(22n), txHash: '0x20' })
  expect(state()).toBe('closed')
  expect(ledger.row(exitActs, '56:0x20:0')).toMatchObject({ is_void: false, block: 22n })
})

test('a request after a cancel keeps the lock with the new time', () => {
  pass(request(10n))
  tip(request(30n))
  expect(ledger.row(exits, USER)).toMatchObject({ state: 'open', exit_at: at(30n) })
  pass(cancel(20n))
  expect(state()).toBe('requested')
  pass(request(30n))
  expect(state()).toBe('open')
})

test('changes that one step of the cursor passes count in their order', () => {
  pass(request(10n), cancel(11n), request(12n))
  expect(ledger.row(exits, USER)).toMatchObject({ state: 'open', exit_at: at(12n) })
  pass(cancel(13n), request(14n), cancel(15n))
  expect(state()).toBe('closed')
})

test('an account that does not exist has no row', () => {
  pass(request(10n, `0x${'b'.repeat(40)}`))
  expect(ledger.rows(exits)).toEqual([])
  tip()
  pass(cancel(11n))
  expect(ledger.rows(exits)).toEqual([])
})

test('each act has one row, also when it is read again', () => {
  pass(request(10n), cancel(11n), request(10n, `0x${'b'.repeat(40)}`))
  pass(request(10n), cancel(11n))
  expect(ledger.executed.at(-1)?.plan.rows?.filter(({ table }) => table === exitActs)).toEqual([])
  const rows = ledger.rows(exitActs).map(({ id, kind, at: when }) => [id, kind, when])
  expect(rows).toEqual([
    ['56:0x10:0', 'request', at(10n)],
    ['56:0x11:0', 'cancel', NOW],
  ])
})

test('an act that a reorganisation moved counts again in its new block', () => {
  pass(request(10n))
  const row = ledger.row(exitActs, '56:0x10:0')
  if (!row) throw new Error('no act')
  ledger.put(exitActs, { ...row, is_void: true })
  pass({ ...request(12n), txHash: '0x10' })
  expect(ledger.rows(exitActs)).toEqual([{ ...row, is_void: false, block: 12n, at: at(12n) }])
})

test('a cancel at an old vault ends no exit elsewhere', () => {
  pass(request(10n), request(20n, USER, NEW_VAULT))
  tip(cancel(30n))
  pass(cancel(30n))
  expect(ledger.row(exits, USER)).toMatchObject({ state: 'open', vault: NEW_VAULT, exit_at: at(20n) })
  pass(cancel(40n, NEW_VAULT))
  expect(state()).toBe('closed')
})

test('an empty vault that was left opens its accounts, and no others', () => {
  pass(request(10n))
  expect(ledger.execute(closeAtReplaced(NEW_VAULT, [USER]))).toBe(0)
  expect(state()).toBe('open')
  ledger.advance(60)
  const unknown = `0x${'b'.repeat(40)}`
  expect(ledger.execute(closeAtReplaced(VAULT, [unknown, USER]))).toBe(1)
  const closed = { ...OPEN, state: 'closed', changed_at: ledger.now }
  expect(ledger.rows(exits)).toEqual([closed])
  // An exit that is over stays as it is.
  ledger.advance(60)
  expect(ledger.execute(closeAtReplaced(VAULT, [unknown, USER]))).toBe(0)
  expect(ledger.rows(exits)).toEqual([closed])
})
