import { beforeEach, expect, test } from 'vitest'
import type { ChainExit } from '../../platform/chain/chain.ts'
import { bookMovements } from '../../platform/custody/book-movements.ts'
import { chainCursors } from '../../platform/custody/chain-cursors.ts'
import { exitPayments } from '../../platform/custody/exit-payments.ts'
import { movementRules } from '../../platform/custody/testing/watcher.ts'
import { vaultCounters } from '../../platform/custody/vault-counters.ts'
import { watchedVaults } from '../../platform/custody/watched-vault.ts'
import { userAccount, VAULT } from '../../platform/ledger/accounts.ts'
import { type ExitState, exits } from '../../platform/ledger/leaving-accounts.ts'
import { performAction } from '../../testing/perform-action.ts'
import { type RewindPayload, rewindWatcher } from './rewind-watcher.ts'
import { START, WithdrawalLedger } from './testing/withdrawal-ledger.ts'

const CHAIN_ID = 31_337
const [VAULT_ADDRESS, USER] = ['0xvault', '0xuser']
const ID = `${CHAIN_ID}:0x1:0`

let ledger: WithdrawalLedger
beforeEach(() => {
  ledger = new WithdrawalLedger()
  ledger.put(watchedVaults, { id: String(CHAIN_ID), vault: VAULT_ADDRESS, since: START })
  ledger.put(chainCursors, { id: String(CHAIN_ID), number: 9n, hash: '0x9', time: START })
})

/** The watcher counts an exit that the vault has paid. */
function count(): void {
  const place = { txHash: '0x1', logIndex: 0, blockNumber: 9n, blockHash: '0x9', to: '0xto' }
  const exit: ChainExit = { ...place, account: USER, asset: 'BNB', units: 5n }
  const rules = movementRules(CHAIN_ID, { vault: VAULT_ADDRESS })
  ledger.execute(bookMovements(rules, { deposits: [], withdrawals: [], exits: [exit] }))
}

function rewind(changes: Partial<Pick<RewindPayload, 'exits' | 'requests' | 'reopened'>>) {
  const to = { number: '8', hash: '0x8', time: START.toISOString() }
  const rest = { chainId: String(CHAIN_ID), operator: '0x0', from: '0x9', to, gone: [], moved: [], unpaid: [] }
  return performAction(ledger, rewindWatcher, { ...rest, ...changes })
}

const exited = () => ledger.rows(vaultCounters).map((row) => row.exited)
const setExit = (state: ExitState) =>
  ledger.put(exits, { id: USER, state, exit_at: START, block: 9n, changed_at: START, owes: false, vault: null })

test('a rewind uncounts an exit until it counts again', () => {
  count()
  expect(exited()).toEqual([5n, 5n])
  rewind({ exits: [ID] })
  expect(exited()).toEqual([0n, 0n])
  count()
  expect(exited()).toEqual([5n, 5n])
})

test('a rewind gives back what a payment of an exit took', () => {
  const paid = { user_id: USER, asset: 'BNB' as const, units: 5n, missing: 2n, receiver: '0xto', tx_hash: '0x1' }
  ledger.put(exitPayments, { id: ID, ...paid, block: 9n, booked_at: START, taken_back_at: null, base: 1n })
  ledger.add(VAULT, 'BNB', 3n)
  const before = ledger.balance(VAULT, 'BNB')
  expect(rewind({ exits: [ID] })).toMatchObject({ text: expect.stringContaining('1 payments of exits taken back') })
  expect(ledger.balance(userAccount(USER, 'available'), 'BNB')).toBe(3n)
  expect(ledger.balance(VAULT, 'BNB')).toBe(before - 3n)
  expect(ledger.row(exitPayments, ID)).toMatchObject({ missing: 0n, taken_back_at: expect.any(Date) })
})

test.each([
  ['open', 'requested'],
  ['closed', 'closed'],
] as const)('a rewind makes a request that was %s %s', (before, after) => {
  setExit(before)
  rewind({ requests: [USER] })
  expect(ledger.row(exits, USER)?.state).toBe(after)
})

test.each(['closed', 'open'] as const)('a rewind over a cancel opens the exit of a %s row', (before) => {
  setExit(before)
  const reopened = [{ account: USER, at: new Date(START.getTime() - 1_000).toISOString(), block: '5' }]
  rewind({ requests: before === 'open' ? [USER] : [], reopened })
  const exit = { state: 'open', exit_at: new Date(START.getTime() - 1_000), block: 5n, owes: false }
  expect(ledger.row(exits, USER)).toMatchObject(exit)
})
