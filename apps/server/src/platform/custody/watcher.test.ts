import { randomUUID } from 'node:crypto'
import type { Database } from '@clearwell/ledger/database'
import { expectBooksBalanced, openTestDatabase } from '@clearwell/ledger/testing/database'
import { NotReady, Writer } from '@clearwell/ledger/writer'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ChainBlock } from '../chain/chain.ts'
import { createSimulatedChain, type SimulatedChain, simulatedPayment } from '../chain/testing/simulated-chain.ts'
import { MIGRATION_FOLDERS } from '../database/open-database.ts'
import { userAccount } from '../ledger/accounts.ts'
import { readCursor } from './chain-cursors.ts'
import type { CursorFollower } from './cursor-followers.ts'
import { movementRules, newDepositOrder } from './testing/watcher.ts'
import type { OrderPayer } from './unconfirmed.ts'
import { createWatcher, type Watcher } from './watcher.ts'

const CHAIN_ID = 31337
const CONFIRMATIONS = 3
const OPERATOR = `0x${'0'.repeat(39)}f`
const ANN = `0x${'a'.repeat(40)}`
const OLD_VAULT = `0x${'1'.repeat(40)}` as const
const BEN = `0x${'b'.repeat(40)}`

let db: Database
let writer: Writer
let chain: SimulatedChain
let watcher: Watcher
let alarms: { message: string; task: string }[]

beforeEach(async () => {
  alarms = []
  db = await openTestDatabase(MIGRATION_FOLDERS)
  writer = await Writer.open({
    db,
    clock: { now: () => new Date('2026-11-21T09:00:00Z') },
    randomId: () => randomUUID(),
    holder: 'test',
    leaseTtlMs: 2_000,
    exclusive: true,
    onError: (error, task) => alarms.push({ message: String(error), task }),
  })
  chain = createSimulatedChain(CHAIN_ID)
  watcher = newWatcher()
})

afterEach(async () => {
  await watcher.stop()
  await writer.close()
  await expectBooksBalanced(db)
  await db.close()
})

const progressOf = async (order: OrderPayer) => (await watcher.unconfirmedOf(order.userId)).progressOf(order)

/** A new watcher that knows only the database, as after a restart. */
function newWatcher(startBlock = 0n, followers: readonly CursorFollower[] = []): Watcher {
  return createWatcher({
    followers,
    chain,
    db,
    writer,
    rules: movementRules(CHAIN_ID, { operator: OPERATOR }),
    expireDue: async () => {},
    confirmations: CONFIRMATIONS,
    startBlock,
    pollMs: 3_600_000,
    onError: (error, task) => alarms.push({ message: (error as Error).message, task }),
  })
}

function usdt(name: string, units: bigint, account = ANN, orderId?: string) {
  return simulatedPayment(name, { account, asset: 'USDT', units, ...(orderId ? { orderId } : {}) })
}

async function balance(account: string, asset = 'USDT'): Promise<bigint> {
  const [row] = await db.query<{ units: bigint }>('select units from balances where account = $1 and asset = $2', [
    account,
    asset,
  ])
  return row?.units ?? 0n
}

const available = (user: string) => balance(userAccount(user, 'available'))

async function depositCount(): Promise<bigint> {
  const [row] = await db.query<{ count: bigint }>('select count(*) as count from deposits')
  return row?.count ?? 0n
}

async function cursor() {
  return readCursor(db, CHAIN_ID)
}

function order(userId: string): Promise<{ orderId: string }> {
  return writer.execute(newDepositOrder(userId))
}

describe('confirmations', () => {
  test('a payment is credited at its third confirmation, not before', async () => {
    chain.mine(usdt('first', 7n))
    await watcher.poll()
    expect(await available(ANN)).toBe(0n)
    chain.mineEmpty(1)
    await watcher.poll()
    expect(await available(ANN)).toBe(0n)
    chain.mineEmpty(1)
    await watcher.poll()
    expect(await available(ANN)).toBe(7n)
    expect(alarms).toEqual([])
  })

  test('the sender sees confirmations grow until the payment is credited', async () => {
    const { orderId } = await order(ANN)
    const mine = { orderId, userId: ANN, asset: 'USDT' } as const
    const payment = usdt('paid', 5n, ANN, orderId)
    chain.mine(payment)
    await watcher.poll()
    expect(await progressOf(mine)).toEqual({ txHash: payment.txHash, confirmations: 1 })
    chain.mineEmpty(1)
    await watcher.poll()
    expect(await progressOf(mine)).toEqual({ txHash: payment.txHash, confirmations: 2 })
    chain.mineEmpty(1)
    await watcher.poll()
    expect(await progressOf(mine)).toBeUndefined()
    expect(await available(ANN)).toBe(5n)
  })

  test("an order shows no progress for another user's or asset's payment", async () => {
    const { orderId } = await order(ANN)
    const real = usdt('real', 5n, ANN, orderId)
    chain.mine(
      real,
      usdt('stranger', 1n, BEN, orderId),
      simulatedPayment('wrong asset', { account: ANN, asset: 'BNB', units: 1n, orderId }),
    )
    await watcher.poll()
    expect(await progressOf({ orderId, userId: ANN, asset: 'USDT' })).toEqual({
      txHash: real.txHash,
      confirmations: 1,
    })
  })

  test("the watcher starts at the vault's deployment block", async () => {
    chain.mine(usdt('before the vault', 1n))
    chain.mineEmpty(4)
    const later = newWatcher(3n)
    chain.mine(usdt('after', 2n))
    chain.mineEmpty(2)
    await later.poll()
    expect(chain.askedRanges[0]?.from).toBe(3n)
    expect(await available(ANN)).toBe(2n)
  })
})

test('features that follow the cursor read each final block once', async () => {
  const ranges: { from: bigint; to: bigint }[] = []
  const follower: CursorFollower = {
    async read(range) {
      ranges.push(range)
      return { preload: [], book: () => {} }
    },
  }
  const followed = newWatcher(2n, [follower])
  chain.mineEmpty(7)
  await followed.poll()
  chain.mineEmpty(4)
  await followed.poll()
  expect(ranges).toEqual([
    { from: 2n, to: 5n },
    { from: 6n, to: 9n },
  ])
})

describe('each payment once', () => {
  test('restarts between passes credit nothing twice', async () => {
    for (const name of ['one', 'two', 'three']) chain.mine(usdt(name, 10n))
    for (let start = 0; start < 5; start++) {
      watcher = newWatcher()
      await watcher.poll()
      await watcher.poll()
      chain.mineEmpty(1)
    }
    expect(await available(ANN)).toBe(30n)
    expect(await depositCount()).toBe(3n)
  })

  test('repeated logs of read blocks change nothing', async () => {
    chain.mine(usdt('again', 10n))
    chain.mineEmpty(2)
    await watcher.poll()
    const honest = chain.movements
    chain.movements = async (range) => {
      const found = await honest({ ...range, from: 0n })
      return { deposits: [...found.deposits, ...found.deposits], withdrawals: [] }
    }
    chain.mine(usdt('new', 5n))
    chain.mineEmpty(2)
    await watcher.poll()
    expect(await available(ANN)).toBe(15n)
    expect(await depositCount()).toBe(2n)
  })

  test('a concurrent lookup and poll credit a payment once', async () => {
    const payment = usdt('raced', 9n)
    chain.mine(payment)
    chain.mineEmpty(2)
    const results = await Promise.all([
      watcher.poll(),
      watcher.lookUp(payment.txHash),
      watcher.lookUp(payment.txHash),
      watcher.poll(),
      newWatcher().poll(),
    ])
    expect(results[1]).toMatchObject({ confirmations: CONFIRMATIONS })
    expect(await available(ANN)).toBe(9n)
    expect(await depositCount()).toBe(1n)
  })

  test('two payments of one transaction are two credits', async () => {
    const pair = [usdt('same', 3n), usdt('same', 4n, BEN)]
    chain.mine(...pair)
    chain.mineEmpty(2)
    await watcher.poll()
    expect([await available(ANN), await available(BEN)]).toEqual([3n, 4n])
    expect(await depositCount()).toBe(2n)
  })

  test('two thousand payments in one block need few node requests', async () => {
    const payments = Array.from({ length: 2_000 }, (_, index) =>
      usdt(`many ${index}`, BigInt(index + 1), index % 2 === 0 ? ANN : BEN),
    )
    chain.mine(...payments)
    chain.mineEmpty(2)
    await watcher.poll()
    expect(await depositCount()).toBe(2_000n)
    expect([await available(ANN), await available(BEN)]).toEqual([1_000_000n, 1_001_000n])
    expect(await balance('vault')).toBe(-2_001_000n)
    expect(chain.askedCount.block).toBeLessThan(10)
  })
})

describe('catching up', () => {
  test('a single poll catches up thousands of blocks in large ranges', async () => {
    chain.mine(usdt('early', 1n))
    chain.mineEmpty(4_500)
    chain.mine(usdt('late', 2n))
    const head = chain.mineEmpty(2)
    await watcher.poll()
    expect(await available(ANN)).toBe(3n)
    expect(await cursor()).toMatchObject({ number: head.number - 2n })
    for (const { from, to } of chain.askedRanges) expect(to - from).toBeLessThan(2_000n)
    expect(chain.askedRanges[0]).toEqual({ from: 0n, to: 1_999n })
    expect(alarms).toEqual([])
  })

  test('a poll without new blocks repeats no request', async () => {
    chain.mineEmpty(10)
    await watcher.poll()
    const ranges = chain.askedRanges.length
    await watcher.poll()
    expect(chain.askedRanges.length - ranges).toBe(1)
  })

  test('a poll during another one reads blocks mined before its call', async () => {
    let second: Promise<void> | undefined
    chain.beforeResponse = (question) => {
      if (question !== 'movements') return
      chain.beforeResponse = undefined
      chain.mine(usdt('between', 5n))
      chain.mineEmpty(2)
      second = watcher.poll()
    }
    await watcher.poll()
    await second
    expect(await available(ANN)).toBe(5n)
  })

  test('stop ends a catch-up after the current range', async () => {
    chain.mineEmpty(9_000)
    const stopping = new Promise<void>((resolve) => {
      chain.beforeResponse = (question) => {
        if (question !== 'movements') return
        chain.beforeResponse = undefined
        void watcher.stop().then(resolve)
      }
    })
    await watcher.poll()
    await stopping
    expect(chain.askedRanges).toHaveLength(1)
    expect(await cursor()).toMatchObject({ number: 1_999n })
    await newWatcher().poll()
    expect(await cursor()).toMatchObject({ number: 8_998n })
  })
})

describe('reorgs above the cursor', () => {
  test('an unconfirmed payment removed by a reorg is credited when mined again', async () => {
    const payment = usdt('moved', 8n)
    const before = chain.mine(payment)
    chain.mineEmpty(1)
    await watcher.poll()
    const taken = chain.reorg(2)
    const replaced = chain.mineEmpty(3)
    expect((await chain.block(before.number))?.hash).not.toBe(before.hash)
    await watcher.poll()
    expect(await available(ANN)).toBe(0n)
    expect(await watcher.lookUp(payment.txHash)).toEqual({ status: 'not_found' })
    expect(taken).toEqual([payment])
    chain.mine(...taken)
    chain.mineEmpty(2)
    await watcher.poll()
    expect(replaced.number).toBeGreaterThan(before.number)
    expect(await available(ANN)).toBe(8n)
    expect(watcher.halted).toBeUndefined()
    expect(alarms).toEqual([])
  })

  test('a removed payment shows no progress, even on a shorter chain', async () => {
    const { orderId } = await order(ANN)
    chain.mineEmpty(3)
    chain.mine(usdt('gone', 5n, ANN, orderId))
    await watcher.poll()
    expect(await progressOf({ orderId, userId: ANN, asset: 'USDT' })).toBeDefined()
    chain.reorg(2)
    await watcher.poll()
    expect(await progressOf({ orderId, userId: ANN, asset: 'USDT' })).toBeUndefined()
    expect(watcher.halted).toBeUndefined()
  })

  test('a head below the cursor changes nothing that is shown', async () => {
    const { orderId } = await order(ANN)
    const payer = { orderId, userId: ANN, asset: 'USDT' } as const
    chain.mineEmpty(3)
    chain.mine(usdt('waiting', 5n, ANN, orderId))
    await watcher.poll()
    const progress = await progressOf(payer)
    expect(progress).toMatchObject({ confirmations: 1 })
    // Another node of the list responds, and is behind.
    const honest = chain.head
    chain.head = async () => (await chain.block(1n)) as ChainBlock
    await watcher.poll()
    expect([await progressOf(payer), await cursor(), alarms]).toMatchObject([progress, { number: 2n }, []])
    chain.head = honest
    chain.mineEmpty(2)
    await watcher.poll()
    expect(await available(ANN)).toBe(5n)
  })

  test('logs of a replaced block are not credited', async () => {
    chain.mine(usdt('stale', 6n))
    chain.mineEmpty(2)
    const stale = await chain.movements({ from: 0n, to: 3n })
    chain.reorg(3)
    chain.mineEmpty(4)
    const honest = chain.movements
    chain.movements = async () => stale
    await watcher.poll()
    expect(await available(ANN)).toBe(0n)
    expect(await cursor()).toBeUndefined()
    chain.movements = honest
    await watcher.poll()
    expect(await available(ANN)).toBe(0n)
    expect(await cursor()).toMatchObject({ number: 2n })
  })

  test('a payment that appears by a reorg during a pass is credited', async () => {
    chain.mineEmpty(5)
    const honest = chain.movements
    chain.movements = async (range) => {
      const found = await honest(range)
      chain.movements = honest
      chain.reorg(4)
      chain.mine(usdt('slipped in', 4n))
      chain.mineEmpty(3)
      return found
    }
    await watcher.poll()
    await watcher.poll()
    expect(watcher.halted).toBeUndefined()
    expect(await available(ANN)).toBe(4n)
  })
})

describe('reorgs below the cursor', () => {
  async function creditedThenReplaced() {
    const payment = usdt('undone', 50n)
    chain.mine(payment)
    chain.mineEmpty(2)
    await watcher.poll()
    const before = await cursor()
    chain.reorg(3)
    chain.mineEmpty(1)
    // Miners may include the same transaction at another position: its logs then have other indexes.
    chain.mine(usdt('neighbour', 1n, BEN), payment)
    chain.mineEmpty(4)
    expect((await chain.block(before?.number as bigint))?.hash).not.toBe(before?.hash)
    return payment
  }

  test('a reorg below the cursor halts the watcher, also after a restart', async () => {
    await creditedThenReplaced()
    await watcher.poll()
    expect(watcher.halted).toBeUndefined()
    await watcher.poll()
    expect(watcher.halted).toContain('block 1 was')
    expect(alarms).toEqual([{ message: watcher.halted, task: 'watcher halted' }])
    chain.mine(usdt('later', 5n))
    chain.mineEmpty(4)
    await watcher.poll()
    const restarted = newWatcher()
    await restarted.poll()
    await restarted.poll()
    expect(restarted.halted).toContain('block 1 was')
    expect(await available(ANN)).toBe(50n)
    expect(await available(BEN)).toBe(0n)
    expect(alarms).toHaveLength(2)
  })

  test('a halted watcher credits nothing on lookup', async () => {
    await creditedThenReplaced()
    await watcher.poll()
    await watcher.poll()
    const later = usdt('later', 5n)
    chain.mine(later)
    chain.mineEmpty(4)
    await expect(watcher.lookUp(later.txHash)).rejects.toThrow(NotReady)
    expect(await available(ANN)).toBe(50n)
  })

  test('looking up a credited payment that moved halts without a second credit', async () => {
    const payment = await creditedThenReplaced()
    expect(await watcher.lookUp(payment.txHash)).toMatchObject({ status: 'pending' })
    await expect(watcher.lookUp(payment.txHash)).rejects.toThrow(NotReady)
    expect(watcher.halted).toContain('block 1 was')
    expect(await available(ANN)).toBe(50n)
  })

  test('the cursor covers payments credited by lookup, so removal is noticed', async () => {
    chain.mineEmpty(2)
    await watcher.poll()
    const payment = usdt('looked up', 50n)
    chain.mine(payment)
    chain.mineEmpty(2)
    expect(await watcher.lookUp(payment.txHash)).toMatchObject({ status: 'credited' })
    chain.reorg(3)
    chain.mine(usdt('neighbour', 1n, BEN), payment)
    chain.mineEmpty(4)
    await watcher.poll()
    await watcher.poll()
    expect(watcher.halted).toContain('block 3 was')
    expect(await available(ANN)).toBe(50n)
  })
})

describe('a node that falls behind', () => {
  test('the watcher reports a short chain once and continues when it returns', async () => {
    chain.mine(usdt('kept', 5n))
    chain.mineEmpty(6)
    await watcher.poll()
    const honest = { head: chain.head, block: chain.block }
    chain.head = async () => (await honest.block(2n)) as ChainBlock
    chain.block = async (number) => (number > 2n ? undefined : honest.block(number))
    await watcher.poll()
    await watcher.poll()
    expect(watcher.halted).toBeUndefined()
    expect(alarms).toEqual([{ message: expect.stringContaining('block 5'), task: 'watcher' }])
    Object.assign(chain, honest)
    chain.mine(usdt('after', 6n))
    chain.mineEmpty(2)
    await watcher.poll()
    expect(await available(ANN)).toBe(11n)
    expect(alarms).toHaveLength(1)
  })

  test('a chain that outgrows the cursor with other blocks halts the watcher', async () => {
    chain.mineEmpty(6)
    await watcher.poll()
    chain.reorg(6)
    await watcher.poll()
    expect(watcher.halted).toBeUndefined()
    chain.mineEmpty(8)
    await watcher.poll()
    await watcher.poll()
    expect(watcher.halted).toContain('block 4 was')
  })

  test('an unreachable node is reported, and the payment credited on its return', async () => {
    chain.mine(usdt('patient', 5n))
    chain.mineEmpty(2)
    chain.beforeResponse = () => {
      throw new Error('connection refused')
    }
    await watcher.poll()
    expect(alarms).toEqual([{ message: 'connection refused', task: 'watcher' }])
    expect(await available(ANN)).toBe(0n)
    chain.beforeResponse = undefined
    await watcher.poll()
    expect(await available(ANN)).toBe(5n)
  })
})

describe('looking a transaction up', () => {
  test('a lookup distinguishes unknown, failed and unrelated transactions', async () => {
    const failed = chain.mineFailure()
    chain.mineEmpty(3)
    expect(await watcher.lookUp(`0x${'0'.repeat(64)}`)).toEqual({ status: 'not_found' })
    expect(await watcher.lookUp(failed)).toEqual({ status: 'failed' })
    const payment = usdt('nothing of ours', 1n)
    chain.mine(payment)
    const honest = chain.movementsOf
    chain.movementsOf = async (txHash) => {
      const response = await honest(txHash)
      return response.status === 'mined' ? { ...response, deposits: [] } : response
    }
    expect(await watcher.lookUp(payment.txHash)).toEqual({ status: 'not_ours' })
  })

  test('a lookup reports pending, then credited, then already credited', async () => {
    const payment = usdt('asked for', 5n)
    chain.mine(payment)
    expect(await watcher.lookUp(payment.txHash)).toMatchObject({ status: 'pending', confirmations: 1 })
    chain.mineEmpty(1)
    expect(await watcher.lookUp(payment.txHash)).toMatchObject({ status: 'pending', confirmations: 2 })
    chain.mineEmpty(1)
    expect(await watcher.lookUp(payment.txHash)).toMatchObject({ status: 'credited', confirmations: 3 })
    expect(await watcher.lookUp(payment.txHash)).toMatchObject({ status: 'already', confirmations: 3 })
    expect(await available(ANN)).toBe(5n)
  })

  test('a lookup credits a payment that the watcher missed, once', async () => {
    const payment = usdt('missed', 5n)
    chain.mine(payment)
    chain.mineEmpty(3)
    const honest = chain.movements
    chain.movements = async () => ({ deposits: [], withdrawals: [] })
    await watcher.poll()
    chain.movements = honest
    expect(await available(ANN)).toBe(0n)
    expect(await watcher.lookUp(payment.txHash)).toMatchObject({ status: 'credited' })
    expect(await watcher.lookUp(payment.txHash)).toMatchObject({ status: 'already' })
    expect(await available(ANN)).toBe(5n)
  })

  test('a payment to a replaced vault stays pending', async () => {
    const payment = usdt('to the old vault', 5n)
    chain.mine(payment)
    chain.mineEmpty(2)
    const honest = chain.movementsOf
    chain.movementsOf = async (txHash) => {
      const response = await honest(txHash)
      if (response.status !== 'mined') return response
      return { ...response, deposits: response.deposits.map((deposit) => ({ ...deposit, replacedVault: OLD_VAULT })) }
    }
    chain.movements = async () => ({ deposits: [], withdrawals: [] })
    expect(await watcher.lookUp(payment.txHash)).toMatchObject({ status: 'pending', confirmations: 3 })
    expect(await available(ANN)).toBe(0n)
  })

  test('a lookup reports a payment in a replaced block as pending', async () => {
    const payment = usdt('replaced', 5n)
    chain.mine(payment)
    chain.mineEmpty(2)
    const honest = chain.movementsOf
    chain.movementsOf = async (txHash) => {
      const response = await honest(txHash)
      chain.reorg(3)
      chain.mineEmpty(5)
      return response
    }
    expect(await watcher.lookUp(payment.txHash)).toMatchObject({ status: 'pending' })
    expect(await available(ANN)).toBe(0n)
  })
})

test('a watcher without the lease moves no cursor and credits nothing', async () => {
  chain.mine(usdt('not mine to write', 5n))
  chain.mineEmpty(2)
  await writer.close()
  await watcher.poll()
  expect(await cursor()).toBeUndefined()
  expect(await depositCount()).toBe(0n)
})

test('a started watcher polls automatically until it is stopped', async () => {
  const own = createWatcher({
    chain,
    db,
    writer,
    rules: movementRules(CHAIN_ID, { operator: OPERATOR }),
    expireDue: async () => {},
    confirmations: 1,
    startBlock: 0n,
    pollMs: 1,
    onError: (error) => alarms.push({ message: String(error), task: 'watcher' }),
  })
  chain.mine(usdt('by itself', 5n))
  const credited = new Promise<void>((resolve) => {
    const end = writer.onCommitted(() => {
      end()
      resolve()
    })
  })
  own.start()
  await credited
  await own.stop()
  const asked = chain.askedCount.head
  await newWatcher().poll()
  expect(chain.askedCount.head).toBe(asked + 1)
  expect(await available(ANN)).toBe(5n)
})
