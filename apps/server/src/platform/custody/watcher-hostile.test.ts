import { NotReady } from '@clearwell/ledger/writer'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Chain } from '../chain/chain.ts'
import { createComparedChain } from '../chain/compared-chain.ts'
import { createRpcChain, createRpcClient } from '../chain/rpc-chain.ts'
import { LIES } from '../chain/testing/lies.ts'
import { HttpRefusal, startTestNode, TEST_CUSTODY, type TestNode } from '../chain/testing/node.ts'
import { createSimulatedChain, type SimulatedChain, simulatedPayment } from '../chain/testing/simulated-chain.ts'
import { openWatcherBench, type WatcherBench } from './testing/watcher.ts'
import type { Watcher } from './watcher.ts'

const CONFIRMATIONS = 3
const ANN = `0x${'a'.repeat(40)}`
const NOW = new Date('2026-01-01T01:00:00Z')

let bench: WatcherBench
beforeAll(async () => {
  bench = await openWatcherBench()
})
afterAll(() => bench.close())

let held: SimulatedChain
let nodes: TestNode[]
let watcher: Watcher
let chainCount = 0
let paid = 0n

/** Each test has its own chain and cursor. */
async function watchNewChain(connect: (nodes: readonly Chain[]) => Chain): Promise<void> {
  held = createSimulatedChain(1_000 + chainCount++)
  nodes = [await startTestNode(held), await startTestNode(held)]
  const chains = nodes.map((node) =>
    createRpcChain(createRpcClient(node.rpcUrl), held.id, TEST_CUSTODY, { now: () => NOW }),
  )
  watcher = bench.watch(connect(chains), { confirmations: CONFIRMATIONS })
  pay(1n)
  held.mineEmpty(CONFIRMATIONS)
  await watcher.poll()
  await expectCredited()
  bench.alarms.length = 0
}
afterEach(() => Promise.all(nodes.map((node) => node.stop())))

/** Adds payments in one block and returns the last one's transaction. */
function pay(...units: bigint[]): string {
  const payments = units.map((each, index) =>
    simulatedPayment(`${chainCount} ${paid} ${index}`, { account: ANN, asset: 'USDT', units: each }),
  )
  held.mine(...payments)
  paid += units.reduce((sum, each) => sum + each, 0n)
  return payments.at(-1)?.txHash as string
}

async function expectCredited(): Promise<void> {
  expect(await bench.available(ANN, 'USDT')).toBe(paid)
}

const alarmsTold = () => bench.alarms.map(({ error, task }) => ({ error: (error as Error).name, task }))

describe('a lying node', () => {
  beforeEach(() => watchNewChain(([only]) => only as Chain))

  test.each(LIES)('credits nothing and reports once until the node is honest: $name', async ({ kind, lie }) => {
    const before = paid
    const [node] = nodes as [TestNode]
    const txHash = pay(10n, 20n)
    held.mineEmpty(CONFIRMATIONS)
    node.lie = lie
    for (let poll = 0; poll < 5; poll++) await watcher.poll()
    expect(await bench.available(ANN, 'USDT')).toBe(before)
    expect(bench.alarms).toEqual([{ error: expect.objectContaining({ name: 'ChainFault', kind }), task: 'watcher' }])
    expect(watcher.halted).toBeUndefined()
    node.lie = undefined
    await watcher.poll()
    await expectCredited()
    await watcher.poll()
    expect(await watcher.lookUp(txHash)).toMatchObject({ status: 'already' })
    await expectCredited()
    expect(bench.alarms).toHaveLength(1)
  })

  test('confirms nothing by a head far above its blocks', async () => {
    const before = paid
    const [node] = nodes as [TestNode]
    pay(5n)
    node.lie = ({ method, params }, honest) =>
      method === 'eth_getBlockByNumber' && params[0] === 'latest' ? { ...(honest as object), number: '0x3e8' } : honest
    for (let poll = 0; poll < 5; poll++) await watcher.poll()
    expect(await bench.available(ANN, 'USDT')).toBe(before)
    node.lie = undefined
    held.mineEmpty(CONFIRMATIONS)
    await watcher.poll()
    await expectCredited()
    expect(bench.alarms).toEqual([])
  })

  test('a forged receipt credits no payment', async () => {
    const before = paid
    const [node] = nodes as [TestNode]
    const txHash = pay(5n)
    held.mineEmpty(CONFIRMATIONS)
    const other = `0x${'e'.repeat(64)}`
    node.lie = ({ method }, honest) => {
      if (method === 'eth_getLogs') return []
      if (method !== 'eth_getTransactionReceipt') return honest
      const receipt = honest as { logs: object[] }
      return { ...receipt, blockHash: other, logs: receipt.logs.map((log) => ({ ...log, blockHash: other })) }
    }
    await expect(watcher.lookUp(txHash)).rejects.toThrow(NotReady)
    expect(await bench.available(ANN, 'USDT')).toBe(before)
    expect(bench.alarms).toEqual([
      { error: expect.objectContaining({ name: 'ChainFault', kind: 'not_canonical' }), task: 'watcher' },
    ])
    node.lie = undefined
    await watcher.lookUp(txHash)
    await expectCredited()
  })

  test('an omitted payment is credited by its hash', async () => {
    const [node] = nodes as [TestNode]
    const before = paid
    const txHash = pay(5n)
    held.mineEmpty(CONFIRMATIONS)
    node.lie = ({ method }, honest) => (method === 'eth_getLogs' ? [] : honest)
    await watcher.poll()
    expect(await bench.available(ANN, 'USDT')).toBe(before)
    expect(await watcher.lookUp(txHash)).toMatchObject({ status: 'credited' })
    await expectCredited()
  })
})

describe('two nodes, one of them lying', () => {
  beforeEach(() =>
    watchNewChain(([primary, second]) =>
      createComparedChain({
        primary: primary as Chain,
        second: second as Chain,
        names: ['FIRST', 'SECOND'],
        onAlarm: (error) => bench.alarms.push({ error, task: 'chain' }),
      }),
    ),
  )

  /** Lies that a single node's responses do not reveal. */
  const QUIET_LIES: [string, NonNullable<TestNode['lie']>][] = [
    [
      'leaves a payment out',
      ({ method }, honest) => (method === 'eth_getLogs' ? (honest as unknown[]).slice(1) : honest),
    ],
    ['leaves all payments out', ({ method }, honest) => (method === 'eth_getLogs' ? [] : honest)],
    [
      'reports a larger amount',
      ({ method }, honest) =>
        method === 'eth_getLogs'
          ? (honest as object[]).map((log) => ({ ...log, data: `0x${'1'.padStart(64, '0')}` }))
          : honest,
    ],
    [
      'reports another payer',
      ({ method }, honest) =>
        method === 'eth_getLogs'
          ? (honest as { topics: string[] }[]).map((log) => ({
              ...log,
              topics: log.topics.map((topic, index) => (index === 1 ? `0x${'b'.repeat(40).padStart(64, '0')}` : topic)),
            }))
          : honest,
    ],
  ]

  test.each([0, 1].flatMap((liar) => QUIET_LIES.map(([name, lie]) => ({ liar, name, lie }))))(
    'credits nothing and reports once while node $liar $name',
    async ({ liar, lie }) => {
      const before = paid
      const node = nodes[liar] as TestNode
      pay(10n, 20n)
      held.mineEmpty(CONFIRMATIONS)
      node.lie = lie
      for (let poll = 0; poll < 5; poll++) await watcher.poll()
      expect(await bench.available(ANN, 'USDT')).toBe(before)
      expect(alarmsTold()).toEqual([{ error: 'ChainDisagreement', task: 'watcher' }])
      node.lie = undefined
      for (let poll = 0; poll < 2; poll++) await watcher.poll()
      await expectCredited()
    },
  )

  test.each([0, 1])('credits nothing and reports node %i once while it is away', async (away) => {
    const before = paid
    pay(10n)
    held.mineEmpty(CONFIRMATIONS)
    const node = nodes[away] as TestNode
    node.lie = () => {
      throw new HttpRefusal(401)
    }
    for (let poll = 0; poll < 2; poll++) await watcher.poll()
    expect(await bench.available(ANN, 'USDT')).toBe(before)
    expect(bench.alarms).toHaveLength(1)
    expect(String(bench.alarms[0]?.error)).toContain(['FIRST', 'SECOND'][away])
    node.lie = undefined
    await watcher.poll()
    await expectCredited()
  })

  test('waits for a lagging node without an alarm', async () => {
    const before = paid
    const seen = await held.head()
    pay(10n)
    held.mineEmpty(CONFIRMATIONS)
    const late = nodes[1] as TestNode
    late.lie = async ({ method, params }, honest) => {
      if (method !== 'eth_getBlockByNumber') return honest
      const isKnown = params[0] === 'latest' || BigInt(params[0] as string) <= seen.number
      if (!isKnown) return null
      return params[0] === 'latest'
        ? {
            number: `0x${seen.number.toString(16)}`,
            hash: seen.hash,
            timestamp: `0x${(seen.time.getTime() / 1_000).toString(16)}`,
          }
        : honest
    }
    for (let poll = 0; poll < 3; poll++) await watcher.poll()
    expect(await bench.available(ANN, 'USDT')).toBe(before)
    late.lie = undefined
    await watcher.poll()
    await expectCredited()
    expect(bench.alarms).toEqual([])
  })

  test('halts on a reorg below the cursor only when both nodes agree', async () => {
    const cursorBlock = await held.block(2n)
    const other = `0x${'e'.repeat(64)}`
    const [first] = nodes as [TestNode]
    first.lie = ({ method }, honest) =>
      method === 'eth_getBlockByNumber' && (honest as { hash: string } | null)?.hash === cursorBlock?.hash
        ? { ...(honest as object), hash: other }
        : honest
    await watcher.poll()
    expect(watcher.halted).toBeUndefined()
    expect(alarmsTold()).toEqual([{ error: 'ChainDisagreement', task: 'watcher' }])
    first.lie = undefined
    held.reorg(4)
    held.mineEmpty(6)
    await watcher.poll()
    await watcher.poll()
    expect(watcher.halted).toContain('block 2 was')
  })
})
