import { expect, test } from 'vitest'
import type { ChainBlock, ChainMovements } from '../chain/chain.ts'
import { createSimulatedChain, simulatedPayment } from '../chain/testing/simulated-chain.ts'
import { createPendingTransactions } from './pending-transactions.ts'

const NOW = new Date('2026-11-21T09:00:00Z')
/** The time of every block that a test answers. */
const BLOCK_TIME = new Date('2026-11-21T08:59:00Z')
const ANN = `0x${'a'.repeat(40)}`

test('pending transactions request the time of each block once', async () => {
  const chain = createSimulatedChain(56, { startTime: NOW })
  const paid = (name: string) => simulatedPayment(name, { account: ANN, asset: 'BNB', units: 1n })
  const blocks = [0, 1].map((block) =>
    chain.mine(...Array.from({ length: 500 }, (_, index) => paid(`${block} ${index}`))),
  )
  const found = await chain.movements({ from: 1n, to: 2n })
  const pendingOf = createPendingTransactions({
    chain,
    clock: { now: () => NOW },
    orderIdOf: String,
    unconfirmedOf: async () => ({ ...found, head: 2n }),
  })
  const pending = await pendingOf(ANN)
  expect(pending).toHaveLength(1_000)
  expect(new Set(pending.map(({ at }) => at.toISOString()))).toEqual(
    new Set(blocks.map(({ time }) => time.toISOString())),
  )
  expect(chain.askedCount.block).toBe(2)
  await pendingOf(ANN)
  expect(chain.askedCount.block).toBe(2)
  // Both are in blocks of the chain; the head's has one confirmation.
  expect(new Set(pending.map(({ block, confirmations }) => `${block} ${confirmations}`))).toEqual(
    new Set(['1 2', '2 1']),
  )
})

/** Lists payments, with blocks that the test answers. */
function listing(block: (number: bigint) => Promise<ChainBlock>) {
  const asked: bigint[] = []
  const readBlock = (number: bigint) => {
    asked.push(number)
    return block(number)
  }
  let movements: ChainMovements = { deposits: [], withdrawals: [] }
  const pendingOf = createPendingTransactions({
    chain: { id: 56, block: readBlock },
    clock: { now: () => NOW },
    orderIdOf: (nonce) => `order ${nonce}`,
    unconfirmedOf: async () => ({ ...movements, head: 9n }),
  })
  return {
    asked,
    list: (next: Partial<ChainMovements>) => {
      movements = { deposits: [], withdrawals: [], ...next }
      return pendingOf(ANN)
    },
  }
}

const movement = (blockNumber: bigint, blockHash = `0x${blockNumber}`) => ({
  ...{ txHash: `0x${'7'.repeat(64)}`, logIndex: 3, blockNumber, blockHash },
  ...{ account: ANN, asset: 'USDT' as const, units: 5n },
})

test('payments are listed under their later id and order', async () => {
  const { list } = listing(async (number) => ({ number, hash: `0x${number}`, time: BLOCK_TIME }))
  const pending = await list({
    deposits: [{ ...movement(7n), orderId: '0xorder' }],
    withdrawals: [{ ...movement(8n), nonce: 12n }],
  })
  const shared = { asset: 'USDT', units: 5n, txHash: `0x${'7'.repeat(64)}`, at: BLOCK_TIME }
  expect(pending).toEqual([
    {
      ...shared,
      ...{ block: 7n, confirmations: 3 },
      ...{ id: `56:0x${'7'.repeat(64)}:3`, direction: 'in', orderId: '0xorder' },
    },
    { ...shared, block: 8n, confirmations: 2, id: 'order 12', direction: 'out', orderId: 'order 12' },
  ])
})

test.each([
  ['the chain cannot be read', () => Promise.reject(new Error('no connection'))],
  ['a reorganisation has replaced its block', async () => ({ number: 7n, hash: '0xother', time: BLOCK_TIME })],
])('the current time is shown where %s', async (_why, block) => {
  const { asked, list } = listing(block)
  for (let round = 0; round < 2; round++)
    expect(await list({ deposits: [{ ...movement(7n), orderId: null }] })).toMatchObject([{ at: NOW }])
  expect(asked).toEqual([7n, 7n])
})

test('the times of 1,000 blocks are kept', async () => {
  const { asked, list } = listing(async (number) => ({ number, hash: `0x${number}`, time: BLOCK_TIME }))
  const blocks = (from: bigint, count: number) => ({
    deposits: Array.from({ length: count }, (_, index) => ({ ...movement(from + BigInt(index)), orderId: null })),
  })
  await list(blocks(1n, 1_000))
  await list(blocks(1n, 1_000))
  expect(asked).toHaveLength(1_000)
  // Another block: all are forgotten, and this one is kept.
  await list(blocks(1_001n, 1))
  await list(blocks(1_001n, 1))
  expect(asked).toHaveLength(1_001)
  await list(blocks(1n, 1))
  expect(asked.slice(1_000)).toEqual([1_001n, 1n])
})
