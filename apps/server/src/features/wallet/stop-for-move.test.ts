import { beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { moveVault, openAfterMove, restartMoveStop, stopForMove } from '../../platform/custody/move-vault.ts'
import { watchedVaults } from '../../platform/custody/watched-vault.ts'
import { TREASURY } from '../../platform/ledger/accounts.ts'
import { breakers } from '../../platform/ledger/breaker.ts'
import { headerTimes } from '../../platform/ledger/header-age.ts'
import { defineOperatorAction } from '../../platform/operator/operator-action.ts'
import { performAction } from '../../testing/perform-action.ts'
import { START, WithdrawalLedger } from './testing/withdrawal-ledger.ts'
import { withdrawTreasury } from './withdraw-treasury.ts'

const ANN = `0x${'a'.repeat(40)}`
const [OLD, NEW] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`]
const REFUSED = expect.objectContaining({ refusal: 'trading_suspended', data: { reason: 'withdrawals_paused' } })

let ledger: WithdrawalLedger
beforeEach(() => {
  ledger = new WithdrawalLedger()
  ledger.put(watchedVaults, { id: '31337', vault: OLD, since: START })
})
const stop = () => performAction(ledger, stopForMove, {})
const move = (stoppedAt: string | null) =>
  performAction(ledger, moveVault, { chainId: '31337', from: OLD, to: NEW, unusedTo: '9', stoppedAt })
const vault = () => ledger.rows(watchedVaults)[0]?.vault

test('a stop for a move ends transfers out until it is opened', () => {
  ledger.add(TREASURY, 'BNB', 9n)
  const treasury = { operator: ANN, asset: 'BNB', units: '1', voucherTtlMs: 1_000 }
  expect(stop()).toMatchObject({ isDone: true })
  expect(() => ledger.lock(ANN, 1n)).toThrow(REFUSED)
  expect(performAction(ledger, withdrawTreasury, treasury)).toMatchObject({ isDone: false })
  expect(stop()).toEqual({ isDone: false, text: 'Transfers out are stopped already.' })
  expect(performAction(ledger, openAfterMove, {})).toMatchObject({ isDone: true })
  expect(performAction(ledger, openAfterMove, {})).toMatchObject({ isDone: false })
  expect(ledger.lock(ANN, 1n)).toMatchObject({ status: 'locked' })
})

test('a move is not done without the stop that was signed', () => {
  expect(move(START.toISOString())).toMatchObject({ isDone: false })
  stop()
  expect(move(new Date(START.getTime() - 1).toISOString())).toMatchObject({ isDone: false })
  expect(vault()).toBe(OLD)
  expect(move(START.toISOString())).toMatchObject({ isDone: true })
  expect(vault()).toBe(NEW)
  expect(move(START.toISOString())).toMatchObject({ isDone: false, text: expect.stringMatching(/already/) })
})

test('a move forgets the newest root of the old vault', () => {
  ledger.put(headerTimes, { id: 'last', made_at: START, root_made_at: START, root_id: `${OLD}:1` })
  stop()
  move(START.toISOString())
  expect(ledger.row(headerTimes, 'last')).toEqual({ id: 'last', made_at: START, root_made_at: null, root_id: null })
})

test('a voucher that is open again makes a signed move void', () => {
  const reopen = defineOperatorAction({
    kind: 'reopen',
    payload: z.strictObject({}),
    decide(draft, context) {
      restartMoveStop(draft, context)
      return { isDone: true, text: '' }
    },
  })
  performAction(ledger, reopen, {})
  expect(ledger.row(breakers, 'vault_move')?.stopped_at).toBeUndefined()
  stop()
  ledger.now = new Date(START.getTime() + 1)
  performAction(ledger, reopen, {})
  expect(move(START.toISOString())).toMatchObject({ isDone: false })
  expect(vault()).toBe(OLD)
})
