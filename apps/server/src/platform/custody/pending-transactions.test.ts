import { expect, test } from 'vitest'
import { createSimulatedChain, simulatedPayment } from '../chain/testing/simulated-chain.ts'
import { createPendingTransactions } from './pending-transactions.ts'

const NOW = new Date('2026-11-21T09:00:00Z')
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
})
