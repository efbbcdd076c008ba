import { write } from '@clearwell/ledger/command'
import { NotReady, type Writer } from '@clearwell/ledger/writer'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ChainBlock, ChainDeposit, ChainMovements } from '../chain/chain.ts'
import { ChainFault } from '../chain/chain-fault.ts'
import {
  createSimulatedChain,
  type SimulatedChain,
  type SimulatedWithdrawal,
  simulatedPayment,
} from '../chain/testing/simulated-chain.ts'
import { refusal } from '../ledger/refuse.ts'
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

/** Says of each deposit that it reached a replaced vault. */
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
  expect(alarms()).toEqual([`watcher halted: ${reason}`, `watcher: ${reason}`])
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
  // A node on a fork: a voucher is not judged by a block that is gone.
  const replaced = bench.watch(chain, {
    confirmations: 1,
    async expireDue(_at, isStill) {
      chain.reorg(1)
      chain.mineEmpty(1)
      expired.push({ block: 0n, isStill: await isStill() })
    },
  })
  await replaced.poll()
  expect(expired.at(-1)).toEqual({ block: 0n, isStill: false })
})

const CURSOR_MOVED = refusal('conflict', { reason: 'cursor_moved' })
test.each([
  ['a bug', new Error('a bug'), 'command book_movements failed'],
  ['another refusal', CURSOR_MOVED, CURSOR_MOVED.message],
])('%s while booking halts no watcher', async (_name, error, reported) => {
  const complete = () => {
    throw error
  }
  const rules = movementRules(CHAIN_ID, { withdrawals: { preload: () => [], complete } })
  const watcher = bench.watch(chain, { ...CONFIRMED, rules })
  chain.mine(payout(1n))
  await watcher.poll()
  expect(watcher.halted).toBeUndefined()
  expect(alarms()).toContain(`watcher: ${reported}`)
})

test('a server that writes again shares what is unconfirmed again', async () => {
  const { db, writer } = bench
  let isWriting = true
  const watcher = bench.watch(chain, {
    confirmations: 3,
    writer: {
      execute: writer.execute.bind(writer),
      get isWriting() {
        return isWriting
      },
    } as Writer,
  })
  const shared = () => db.query('select units from pending_movements')
  chain.mine(paid('unconfirmed'))
  await watcher.poll()
  expect(await shared()).toEqual([{ units: 5n }])
  isWriting = false
  // Another server writes meanwhile.
  await db.query('delete from pending_movements')
  const ranges = chain.askedRanges.length
  await watcher.poll()
  expect([await shared(), chain.askedRanges.length]).toEqual([[], ranges])
  isWriting = true
  await watcher.poll()
  expect(await shared()).toEqual([{ units: 5n }])
})

test('a fault is reported again after 20 passes without one', async () => {
  const watcher = bench.watch(chain, CONFIRMED)
  const honest = chain.head
  const fail = async () => {
    chain.head = () => Promise.reject(new ChainFault('malformed', 'no JSON'))
    await watcher.poll()
    chain.head = honest
  }
  await fail()
  await fail()
  expect(alarms()).toEqual(['watcher: no JSON'])
  for (let pass = 0; pass < 20; pass += 1) await watcher.poll()
  await fail()
  expect(alarms()).toEqual(['watcher: no JSON'])
})

/** Adds to the movements of each transaction that is looked up. */
function addToLookups(add: (deposit: ChainDeposit) => Partial<ChainMovements>): void {
  const honest = chain.movementsOf
  chain.movementsOf = async (txHash) => {
    const found = await honest(txHash)
    const [deposit] = found.status === 'mined' ? found.deposits : []
    return deposit === undefined ? found : { ...found, ...add(deposit) }
  }
}

test('a transaction that pays in, out and exits is ours', async () => {
  const watcher = bench.watch(chain, { confirmations: 3 })
  const payment = paid('all')
  chain.mine(payment)
  const parts = (deposit: ChainDeposit) => ({
    deposits: [deposit],
    withdrawals: [{ ...deposit, logIndex: 7, nonce: 9n }],
    exits: [{ ...deposit, logIndex: 8, to: ANN }],
  })
  addToLookups((deposit) => ({ ...parts(deposit), exits: [] }))
  expect(await watcher.lookUp(payment.txHash)).toMatchObject({ status: 'pending' })
  addToLookups((deposit) => ({ ...parts(deposit), withdrawals: [] }))
  expect(await watcher.lookUp(payment.txHash)).toMatchObject({ status: 'pending' })
})

test('a lookup credits what reached the vault beside a stranded deposit', async () => {
  const watcher = bench.watch(chain, CONFIRMED)
  const payment = paid('both')
  const honest = chain.movements
  chain.movements = async () => ({ deposits: [], withdrawals: [] })
  chain.mine(payment)
  await watcher.poll()
  addToLookups((deposit) => ({ deposits: [deposit, { ...deposit, logIndex: 9, replacedVault: OLD_VAULT }] }))
  expect(await watcher.lookUp(payment.txHash)).toMatchObject({ status: 'credited' })
  chain.movements = honest
  expect(await bench.available(ANN, 'USDT')).toBe(5n)
})

test('a lookup past the cursor is pending while blocks are unreadable', async () => {
  const watcher = bench.watch(chain, CONFIRMED)
  const [first, second] = [paid('first'), paid('second')]
  const honest = chain.movements
  const cannotRead = () => {
    chain.movements = () => Promise.reject(new ChainFault('malformed', 'no JSON'))
  }
  cannotRead()
  chain.mine(first)
  expect(await watcher.lookUp(first.txHash)).toMatchObject({ status: 'pending', confirmations: 1 })
  chain.movements = honest
  expect(await watcher.lookUp(first.txHash)).toMatchObject({ status: 'credited' })
  cannotRead()
  chain.mine(second)
  expect(await watcher.lookUp(second.txHash)).toMatchObject({ status: 'pending', confirmations: 1 })
  expect(await bench.available(ANN, 'USDT')).toBe(5n)
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
