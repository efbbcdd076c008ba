import { write } from '@clearwell/ledger/command'
import { NotReady } from '@clearwell/ledger/writer'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ChainBlock, ChainMovements } from '../chain/chain.ts'
import { ChainFault } from '../chain/chain-fault.ts'
import {
  createSimulatedChain,
  type SimulatedChain,
  type SimulatedWithdrawal,
  simulatedPayment,
} from '../chain/testing/simulated-chain.ts'
import { movementRules, openWatcherBench, type WatcherBench } from './testing/watcher.ts'
import { watchedVaults } from './watched-vault.ts'
import type { BookedStep } from './watcher.ts'

const CHAIN_ID = 31337
const ANN = `0x${'a'.repeat(40)}`
const OLD_VAULT = `0x${'1'.repeat(40)}` as const
const SIGNER = `0x${'5'.repeat(40)}`
const CONFIRMED = { confirmations: 1 }

let bench: WatcherBench
let chain: SimulatedChain
beforeEach(async () => {
  bench = await openWatcherBench()
  chain = createSimulatedChain(CHAIN_ID)
})
afterEach(() => bench.close())

const paid = (name: string, units = 5n) => simulatedPayment(name, { account: ANN, asset: 'USDT', units })
const payout = (nonce: bigint): SimulatedWithdrawal => ({
  ...{ kind: 'withdrawal', txHash: `0x${String(nonce).padStart(64, '0')}`, account: ANN, asset: 'USDT' },
  ...{ units: 2n, nonce },
})
/** Takes the alarms since the last call. */
const alarms = () => bench.alarms.splice(0).map(({ error, task }) => `${task}: ${(error as Error).message}`)

/** Gives each movement another vault. */
function fromOldVault<Movements extends Partial<ChainMovements>>(found: Movements): Movements {
  const deposits = found.deposits?.map((each) => ({ ...each, replacedVault: OLD_VAULT }))
  return { ...found, deposits }
}

test('each step of the cursor names its block and counts its payments', async () => {
  const steps: BookedStep[] = []
  const complete = () => ({ as: 'completed', orderId: 'o1' }) as const
  const rules = movementRules(CHAIN_ID, { withdrawals: { preload: () => [], complete } })
  const watcher = bench.watch(chain, { ...CONFIRMED, rules, onBooked: (step) => steps.push(step) })
  chain.mine(paid('one'), paid('two'), payout(1n))
  await watcher.poll()
  chain.mineEmpty(2_500)
  await watcher.poll()
  expect(steps[0]).toEqual({ block: 1n, isBehind: false, credited: 2, completed: 1 })
  expect(steps.at(-1)).toEqual({ block: 2_501n, isBehind: false, credited: 0, completed: 0 })
  expect(steps.slice(1, -1).map(({ isBehind }) => isBehind)).toEqual([true])
  expect(alarms()).toEqual([])
})

test('a payout without an order is reported once, with the lost signer', async () => {
  const asked: (readonly bigint[])[] = []
  const findLostSigner = async (nonces: readonly bigint[]) => {
    asked.push(nonces)
    return nonces.includes(7n) ? SIGNER : undefined
  }
  const watcher = bench.watch(chain, { ...CONFIRMED, findLostSigner })
  const lost = payout(7n)
  chain.mine(lost, payout(8n))
  await watcher.poll()
  const id = (nonce: bigint, log: number) => `${CHAIN_ID}:${payout(nonce).txHash}:${log}`
  expect(alarms()).toEqual([
    `withdrawals: the vault's payment ${id(7n, 0)}: no order has its nonce`,
    `withdrawals: the vault's payment ${id(8n, 1)}: no order has its nonce`,
  ])
  expect(asked[0]).toEqual([7n, 8n])
  expect(await bench.db.query('select nonce, lost_signer from unknown_withdrawals order by nonce')).toEqual([
    { nonce: 7n, lost_signer: SIGNER },
    { nonce: 8n, lost_signer: SIGNER },
  ])
  expect(await watcher.lookUp(lost.txHash)).toMatchObject({ status: 'already' })
  expect(alarms()).toEqual([])
})

test('a deposit into a replaced vault is reported once and waits', async () => {
  const honest = { movements: chain.movements, movementsOf: chain.movementsOf }
  chain.movements = async (range) => fromOldVault(await honest.movements(range))
  chain.movementsOf = async (txHash) => {
    const found = await honest.movementsOf(txHash)
    return found.status === 'mined' ? fromOldVault(found) : found
  }
  const watcher = bench.watch(chain, CONFIRMED)
  const late = paid('to the old vault')
  chain.mine(late)
  await watcher.poll()
  expect(alarms()).toEqual([
    `stranded deposit: the replaced vault ${OLD_VAULT} received 0.000000000000000005 USDT of ${ANN} in ${late.txHash}: move and credit it`,
  ])
  expect(await watcher.lookUp(late.txHash)).toMatchObject({ status: 'pending', confirmations: 1 })
  expect(alarms()).toEqual([])
  expect(await bench.available(ANN, 'USDT')).toBe(0n)
})

test('a watcher of an earlier vault halts and reads no more', async () => {
  await bench.writer.execute({
    ...{ kind: 'bind', owner: 'test', payload: {}, preload: [] },
    decide: (_state, { now }) => ({
      rows: [write(watchedVaults, { id: String(CHAIN_ID), vault: SIGNER, since: now })],
      response: {},
    }),
  })
  const watcher = bench.watch(chain, { ...CONFIRMED, rules: movementRules(CHAIN_ID, { vault: OLD_VAULT }) })
  expect(watcher.halted).toBeUndefined()
  const payment = paid('for the old vault')
  chain.mine(payment)
  await watcher.poll()
  const reason = `the ledger has moved to another vault than ${OLD_VAULT}: start this server with the new configuration`
  expect(watcher.halted).toBe(reason)
  expect(alarms()).toContain(`watcher halted: ${reason}`)
  const ranges = chain.askedRanges.length
  await watcher.poll()
  expect(chain.askedRanges).toHaveLength(ranges)
  expect(alarms()).toEqual([])
  await expect(watcher.lookUp(payment.txHash)).rejects.toThrow(reason)
  expect(await bench.depositCount()).toBe(0)
})

test('vouchers expire at the cursor only once everything is read', async () => {
  const expired: { block: bigint; isStill: boolean }[] = []
  const expireDue = async (at: ChainBlock, isStill: () => Promise<boolean>) => {
    expired.push({ block: at.number, isStill: await isStill() })
  }
  const watcher = bench.watch(chain, { confirmations: 3, expireDue })
  chain.mineEmpty(2_600)
  await watcher.poll()
  // The last pass without a new block says it again.
  await watcher.poll()
  expect(expired).toEqual([
    { block: 2_598n, isStill: true },
    { block: 2_598n, isStill: true },
  ])
})

test('a lookup of a chain that cannot be read is reported once', async () => {
  const watcher = bench.watch(chain, CONFIRMED)
  const payment = paid('asked for')
  chain.mine(payment)
  const honest = chain.movementsOf
  const fault = new ChainFault('malformed', 'no JSON')
  chain.movementsOf = () => Promise.reject(fault)
  for (let round = 0; round < 2; round++) {
    const refused = watcher.lookUp(payment.txHash)
    await expect(refused).rejects.toThrow(NotReady)
    await expect(refused).rejects.toMatchObject({ part: 'chain', cause: fault })
  }
  expect(alarms()).toEqual(['watcher: no JSON'])
  chain.movementsOf = () => Promise.reject(new TypeError('a bug'))
  await expect(watcher.lookUp(payment.txHash)).rejects.toThrow(TypeError)
  chain.movementsOf = honest
  expect(await watcher.lookUp(payment.txHash)).toMatchObject({ status: 'credited' })
})

test('payments that are not shared are still booked', async () => {
  await bench.db.query('alter table pending_movements rename to pending_movements_gone')
  const watcher = bench.watch(chain, CONFIRMED)
  chain.mine(paid('booked'))
  await watcher.poll()
  expect(await bench.available(ANN, 'USDT')).toBe(5n)
  expect(alarms()).toEqual([expect.stringMatching(/^watcher: .*pending_movements/)])
  await bench.db.query('alter table pending_movements_gone rename to pending_movements')
})
