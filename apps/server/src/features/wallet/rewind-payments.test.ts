import { beforeEach, describe, expect, test } from 'vitest'
import type { ChainWithdrawal } from '../../platform/chain/chain.ts'
import { bookMovements } from '../../platform/custody/book-movements.ts'
import { chainCursors } from '../../platform/custody/chain-cursors.ts'
import { movementRules } from '../../platform/custody/testing/watcher.ts'
import { vaultCounters } from '../../platform/custody/vault-counters.ts'
import { watchedVaults } from '../../platform/custody/watched-vault.ts'
import { performAction } from '../../testing/perform-action.ts'
import { withdrawalRules } from './complete-withdrawal.ts'
import { rewindWatcher } from './rewind-watcher.ts'
import { START, WithdrawalLedger } from './testing/withdrawal-ledger.ts'
import type { WithdrawalRow } from './withdrawal-orders.ts'

const CHAIN_ID = 31_337
const [OLD, NEW] = ['0xold', '0xnew']

let ledger: WithdrawalLedger
beforeEach(() => {
  ledger = new WithdrawalLedger()
  moveTo(OLD)
  ledger.put(chainCursors, { id: String(CHAIN_ID), number: 9n, hash: '0x9', time: START })
})

const moveTo = (vault: string) => ledger.put(watchedVaults, { id: String(CHAIN_ID), vault, since: START })

/** The watcher of a vault books the payment of an order. */
function book(vault: string, { id, user_id: account, amount: units, nonce }: WithdrawalRow, replacedVault?: string) {
  const place = { txHash: `0x${id}`, logIndex: 0, blockNumber: 9n, blockHash: '0x9' }
  const paid = { ...place, account, asset: 'BNB', units, nonce, ...(replacedVault && { replacedVault }) } as const
  const withdrawals: ChainWithdrawal[] = [paid]
  const rules = movementRules(CHAIN_ID, { vault, withdrawals: withdrawalRules })
  ledger.execute(bookMovements(rules, { deposits: [], withdrawals }))
}

function rewind(...unpaid: string[]) {
  const to = { number: '8', hash: '0x8', time: START.toISOString() }
  const payload = { chainId: String(CHAIN_ID), operator: '0x0', from: '0x9', to, gone: [], moved: [], unpaid }
  return performAction(ledger, rewindWatcher, payload)
}

const counted = () => Object.fromEntries(ledger.rows(vaultCounters).map(({ id, paid }) => [id, paid]))

describe('a rewind counts the payment of a transfer out', () => {
  test('out of the vault that paid it, after a move too', () => {
    const [early, late] = [ledger.lock('user', 5n), ledger.lock('user', 7n)]
    book(OLD, early)
    moveTo(NEW)
    book(NEW, late)
    expect(rewind(early.id)).toMatchObject({ isDone: true, text: expect.stringContaining('1 transfers out open') })
    expect(counted()).toEqual({
      ...{ [`${OLD}:user:BNB`]: 0n, [`${OLD}:*:BNB`]: 0n },
      ...{ [`${NEW}:user:BNB`]: 7n, [`${NEW}:*:BNB`]: 7n },
    })
    expect(ledger.order(early.id)).toMatchObject({ status: 'locked', tx_hash: null, counted_by: null })
  })

  test('out of no vault if a replaced one paid it', () => {
    const [other, late] = [ledger.lock('user', 7n), ledger.lock('user', 5n)]
    moveTo(NEW)
    book(NEW, other)
    book(NEW, late, OLD)
    expect(rewind(late.id)).toMatchObject({ isDone: true })
    expect(counted()).toEqual({ [`${NEW}:user:BNB`]: 7n, [`${NEW}:*:BNB`]: 7n })
  })

  test('once: the next booking counts it again', () => {
    const order = ledger.lock('user', 5n)
    book(OLD, order)
    rewind(order.id)
    expect(ledger.parts('user')).toEqual([0n, 5n])
    book(OLD, order)
    expect(counted()).toEqual({ [`${OLD}:user:BNB`]: 5n, [`${OLD}:*:BNB`]: 5n })
    expect(ledger.parts('user')).toEqual([0n, 0n])
  })
})
