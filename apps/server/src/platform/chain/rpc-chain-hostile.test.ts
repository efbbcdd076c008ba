import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Chain } from './chain.ts'
import { ChainBehind } from './chain-fault.ts'
import { createRpcChain, createRpcClient } from './rpc-chain.ts'
import { LIES } from './testing/lies.ts'
import { startTestNode, TEST_CUSTODY, type TestNode } from './testing/node.ts'
import {
  createSimulatedChain,
  type SimulatedChain,
  simulatedPayment,
  simulatedWithdrawal,
} from './testing/simulated-chain.ts'

const CHAIN_ID = 56
const E18 = 10n ** 18n
const ANN = `0x${'a'.repeat(40)}`
const NOW = new Date('2026-01-01T00:10:00Z')
const OTHER_HASH = `0x${'e'.repeat(64)}`
const first = simulatedPayment('first', {
  account: ANN,
  asset: 'USDT',
  units: 5n * E18,
  orderId: `0x${'3'.repeat(64)}`,
})

let held: SimulatedChain
let node: TestNode
let chain: Chain
beforeEach(async () => {
  held = createSimulatedChain(CHAIN_ID)
  node = await startTestNode(held)
  chain = createRpcChain(createRpcClient(node.rpcUrl), CHAIN_ID, TEST_CUSTODY, { now: () => NOW })
  held.mine(first, simulatedPayment('second', { account: ANN, asset: 'BNB', units: 1n }))
  held.mine(simulatedWithdrawal('out', { account: ANN, asset: 'USDT', units: E18, nonce: 7n }))
  held.mineEmpty(2)
})
afterEach(() => node.stop())

const everything = () => chain.movements({ from: 0n, to: 4n })

/** Sends the requests of a watcher's pass. */
async function askAll(): Promise<void> {
  await chain.head()
  await chain.block(2n)
  await everything()
}

describe('an honest node', () => {
  test("an honest node's payments arrive to the unit", async () => {
    expect(await everything()).toEqual(await held.movements({ from: 0n, to: 4n }))
    expect(await chain.head()).toEqual(await held.head())
    expect(await chain.movementsOf(first.txHash)).toEqual(await held.movementsOf(first.txHash))
    expect(await chain.vaultHolding('USDT', 1n)).toBe(5n * E18)
    expect(await chain.vaultHolding('USDT', 2n)).toBe(4n * E18)
    expect(await chain.vaultHolding('BNB', 4n)).toBe(1n)
    expect([await chain.isNonceUsed(7n, 1n), await chain.isNonceUsed(7n, 2n)]).toEqual([false, true])
    held.setVaultState({ isPaused: true })
    expect(await chain.vaultState()).toEqual(await held.vaultState())
  })

  test('an honest node gets two requests for a log range', async () => {
    const before = node.requestCount
    await everything()
    expect(node.requestCount - before).toBe(2)
    expect(node.asked.map(({ method }) => method).toSorted()).toEqual([
      'eth_chainId',
      'eth_getBlockByNumber',
      'eth_getBlockByNumber',
      'eth_getBlockByNumber',
      'eth_getLogs',
    ])
  })

  test('an honest node is asked again after a reorg between responses', async () => {
    let isFirst = true
    node.lie = ({ method }, honest) => {
      if (method === 'eth_getLogs' && isFirst) {
        isFirst = false
        held.reorg(4)
        held.mineEmpty(6)
      }
      return honest
    }
    expect(await everything()).toEqual({ deposits: [], withdrawals: [] })
  })
})

describe('a lying node', () => {
  test.each(LIES)('rejects the whole response: $name', async ({ kind, lie }) => {
    node.lie = lie
    await expect(askAll()).rejects.toMatchObject({ name: 'ChainFault', kind })
    node.lie = undefined
    await askAll()
  })

  test("a node that returns another transaction's or block's receipt is rejected", async () => {
    const faults: [(receipt: Record<string, unknown>) => unknown, string][] = [
      [(receipt) => ({ ...receipt, transactionHash: OTHER_HASH }), 'not_asked'],
      [(receipt) => ({ ...receipt, blockHash: OTHER_HASH }), 'not_asked'],
      [({ logs, ...receipt }) => ({ ...receipt, logs, blockNumber: '0x2' }), 'not_asked'],
      [({ logs: _gone, ...receipt }) => receipt, 'malformed'],
      [({ status: _gone, ...receipt }) => receipt, 'malformed'],
      [
        ({ logs, ...receipt }) => ({
          ...receipt,
          blockHash: OTHER_HASH,
          logs: (logs as object[]).map((log) => ({ ...log, blockHash: OTHER_HASH })),
        }),
        'not_canonical',
      ],
      [
        ({ logs, ...receipt }) => ({
          ...receipt,
          logs: (logs as object[]).map((log) => ({ ...log, transactionHash: OTHER_HASH })),
        }),
        'not_asked',
      ],
    ]
    for (const [change, kind] of faults) {
      node.lie = ({ method }, honest) =>
        method === 'eth_getTransactionReceipt' ? change(honest as Record<string, unknown>) : honest
      await expect(chain.movementsOf(first.txHash)).rejects.toMatchObject({ name: 'ChainFault', kind })
    }
  })

  test('a node that reports an impossible amount is rejected', async () => {
    node.lie = ({ method }, honest) => (method === 'eth_call' ? `0x${'f'.repeat(64)}` : honest)
    await expect(chain.vaultHolding('USDT', 4n)).rejects.toMatchObject({ kind: 'absurd_amount' })
  })

  test('a node that reports an impossible block time is rejected', async () => {
    const unclocked = createRpcChain(createRpcClient(node.rpcUrl), CHAIN_ID, TEST_CUSTODY)
    node.lie = ({ method }, honest) =>
      method === 'eth_getBlockByNumber' ? { ...(honest as object), timestamp: '0x1fffffffffffff'.slice(0, 15) } : honest
    await expect(unclocked.head()).rejects.toMatchObject({ kind: 'future_block' })
  })
})

describe('a lagging node', () => {
  test('a node that reports no logs in missing blocks is rejected', async () => {
    await expect(chain.movements({ from: 0n, to: 5n })).rejects.toThrow(ChainBehind)
  })

  test('a node that lacks a block of its logs is rejected', async () => {
    node.lie = ({ method, params }, honest) =>
      method === 'eth_getBlockByNumber' && params[0] === '0x1' ? null : honest
    await expect(everything()).rejects.toThrow(ChainBehind)
  })
})
