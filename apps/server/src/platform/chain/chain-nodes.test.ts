import { afterEach, beforeEach, expect, test } from 'vitest'
import { createChainNodes } from './chain-nodes.ts'
import { createRpcChain } from './rpc-chain.ts'
import { HttpRefusal, startTestNode, TEST_CUSTODY, type TestNode } from './testing/node.ts'
import { createSimulatedChain, type SimulatedChain, simulatedPayment } from './testing/simulated-chain.ts'

const ANN = `0x${'a'.repeat(40)}`
const CHAIN_ID = 97
const payment = (id: string) => simulatedPayment(id, { account: ANN, asset: 'BNB', units: 1n })

let held: SimulatedChain
let first: TestNode
let second: TestNode
let alarms: string[]
beforeEach(async () => {
  held = createSimulatedChain(CHAIN_ID)
  held.mine(payment('paid'))
  first = await startTestNode(held)
  second = await startTestNode(held)
  alarms = []
})
afterEach(async () => {
  await first.stop()
  await second.stop()
})

function connect(urls = [first.rpcUrl, second.rpcUrl], lookMs = 0) {
  const nodes = createChainNodes(
    urls.map((url, index) => ({ name: `node ${index + 1}`, url })),
    { chainId: CHAIN_ID, onAlarm: (error) => alarms.push(error.message), lookMs },
  )
  const client = nodes.client({ retries: 0 })
  return { client, chain: createRpcChain(client, CHAIN_ID, TEST_CUSTODY) }
}

const VAULT = { address: TEST_CUSTODY.vault }
const RANGE = { from: 0n, to: 1n }

test('the next node responds while the first one is down', async () => {
  const { chain } = connect()
  expect((await chain.movements(RANGE)).deposits).toHaveLength(1)
  expect(second.asked).toEqual([])
  const port = Number(new URL(first.rpcUrl).port)
  await first.stop()
  expect((await chain.movements(RANGE)).deposits).toHaveLength(1)
  expect((await chain.head()).number).toBe(1n)
  expect(alarms).toEqual([
    expect.stringMatching(/^node 1 is not used while another node works: the node did not answer \(.+\)$/),
  ])
  // The address may hold a key.
  expect(alarms.join()).not.toContain('s3cret')

  first = await startTestNode(held, TEST_CUSTODY, port)
  await expect
    .poll(async () => {
      await chain.head()
      return first.asked.map(({ method }) => method)
    })
    .toContain('eth_getBlockByNumber')
})

test('a node that failed is left alone while another one responds', async () => {
  const { client } = connect([first.rpcUrl, second.rpcUrl], 60_000)
  await client.getChainId()
  first.lie = () => {
    throw new HttpRefusal(503)
  }
  expect(await client.getBalance(VAULT)).toBe(1n)
  const asked = first.requestCount
  for (let round = 0; round < 3; round++) expect(await client.getBalance(VAULT)).toBe(1n)
  expect(first.requestCount).toBe(asked)
  // The request that finds out that no other node is left fails; a client that retries asks this node again.
  first.lie = undefined
  await second.stop()
  await expect(client.getBalance(VAULT)).rejects.toThrow('did not answer')
  expect(await client.getBalance(VAULT)).toBe(1n)
})

test.each([429, 403, 503])('the next node responds where the first one refuses with status %i', async (status) => {
  const { chain } = connect()
  first.lie = () => {
    throw new HttpRefusal(status)
  }
  expect((await chain.head()).number).toBe(1n)
})

test('a rejected call is an answer, and no other node is asked', async () => {
  const { client } = connect()
  await expect(client.request({ method: 'eth_unknown' as never })).rejects.toThrow('does not exist')
  expect([second.asked, alarms]).toEqual([[], []])
})

test('a node of another chain is asked for nothing else', async () => {
  first.lie = ({ method }, honest) => (method === 'eth_chainId' ? '0x38' : honest)
  const { client } = connect()
  expect(await client.getBalance(VAULT)).toBe(1n)
  expect(new Set(first.asked.map(({ method }) => method))).toEqual(new Set(['eth_chainId']))
  expect(alarms).toEqual(['node 1 is not used while another node works: the node serves chain 56, not 97'])
})

test('one read of logs never mixes two nodes of different heights', async () => {
  const late = createSimulatedChain(CHAIN_ID)
  const lagging = await startTestNode(late)
  const { chain } = connect([first.rpcUrl, lagging.rpcUrl])
  // The first node takes no batches, and its requests for logs alone get no response.
  first.maxBatch = 1
  await chain.head()
  first.lie = ({ method }, honest) => {
    if (method === 'eth_getLogs') throw new HttpRefusal(503)
    return honest
  }
  await expect(chain.movements(RANGE)).rejects.toMatchObject({ name: 'ChainBehind' })
  await lagging.stop()
})
