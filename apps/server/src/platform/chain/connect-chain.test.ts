import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfigError } from '../../config/config-error.ts'
import { type Config, loadConfig } from '../../load-config.ts'
import { connectChain } from './connect-chain.ts'
import { startTestNode, TEST_CUSTODY, type TestNode } from './testing/node.ts'
import { createSimulatedChain, type SimulatedChain, simulatedPayment } from './testing/simulated-chain.ts'

const ANN = `0x${'a'.repeat(40)}`
const payment = simulatedPayment('paid', { account: ANN, asset: 'BNB', units: 1n })

let config: Config
let held: SimulatedChain
let first: TestNode
let second: TestNode
let alarms: string[]
beforeEach(async () => {
  config = await loadConfig({})
  held = createSimulatedChain(config.chain.id)
  held.mine(payment)
  first = await startTestNode(held)
  second = await startTestNode(held)
  alarms = []
})
afterEach(async () => {
  await first.stop()
  await second.stop()
})

const connect = (checkUrl: string | undefined, profile: Config['env']['profile'] = 'staging') =>
  connectChain(
    { ...config, env: { ...config.env, profile, chainRpcUrlCheck: checkUrl } },
    {
      rpcUrls: [first.rpcUrl],
      custody: TEST_CUSTODY,
      now: () => new Date('2026-01-01T00:00:00Z'),
      onAlarm: (error) => alarms.push(error.message),
    },
  )

test('the chain compares two nodes when both are configured', async () => {
  second.lie = ({ method }, honest) => (method === 'eth_getLogs' ? [] : honest)
  const range = { from: 0n, to: 1n }
  expect((await (await connect(undefined)).chain.movements(range)).deposits).toHaveLength(1)
  const { chain } = await connect(second.rpcUrl)
  await expect(chain.movements(range)).rejects.toMatchObject({ name: 'ChainDisagreement', about: 'movements' })
  second.lie = undefined
  expect((await chain.movements(range)).deposits).toHaveLength(1)
})

test('a slow request of a visitor delays no read of the chain', async () => {
  const { chain, visitorClient } = await connect(undefined)
  let release = (_balance: string) => {}
  const balance = new Promise<string>((resolve) => {
    release = resolve
  })
  first.lie = ({ method }, honest) => (method === 'eth_getBalance' ? balance : honest)
  const asked = visitorClient.getBalance({ address: TEST_CUSTODY.vault })
  expect((await chain.head()).number).toBe((await held.head()).number)
  release('0x7')
  expect(await asked).toBe(7n)
  // In one batch, the read would wait for the node's time limit of ten seconds.
}, 9_000)

test('the chain names the variable of a node of another chain', async () => {
  second.lie = ({ method }, honest) => (method === 'eth_chainId' ? '0x38' : honest)
  await expect(connect(second.rpcUrl)).rejects.toThrow(ConfigError)
  await expect(connect(second.rpcUrl)).rejects.toThrow('The node at CHAIN_RPC_URL_CHECK is chain 56, not 31337.')
  first.lie = second.lie
  await expect(connect(undefined)).rejects.toThrow('The node at CHAIN_RPC_URL is chain 56, not 31337.')
})

test('the chain is read once its silent node answers', async () => {
  const port = Number(new URL(first.rpcUrl).port)
  await first.stop()
  const { chain, isAnswering } = await connect(undefined)
  expect([isAnswering, alarms]).toEqual([false, ['the node at CHAIN_RPC_URL does not respond']])
  await expect(chain.head()).rejects.toThrow()
  first = await startTestNode(held, TEST_CUSTODY, port)
  expect((await chain.head()).number).toBe((await held.head()).number)
})

test('a node that answers late is of the configured chain', async () => {
  const port = Number(new URL(first.rpcUrl).port)
  await first.stop()
  const { chain, client, visitorClient } = await connect(undefined)
  first = await startTestNode(held, TEST_CUSTODY, port)
  first.lie = ({ method }, honest) => (method === 'eth_chainId' ? '0x38' : honest)
  await expect(chain.head()).rejects.toThrow('the node serves chain 56, not 31337')
  for (const each of [client, visitorClient])
    await expect(each.getBalance({ address: TEST_CUSTODY.vault })).rejects.toThrow('chain 56')
  expect(new Set(first.asked.map(({ method }) => method))).toEqual(new Set(['eth_chainId']))
})

test('the chain reads nothing while its second node is unreachable', async () => {
  await second.stop()
  const { chain, client } = await connect(second.rpcUrl)
  expect(alarms).toEqual(['the node at CHAIN_RPC_URL_CHECK does not respond'])
  await expect(chain.head()).rejects.toThrow('CHAIN_RPC_URL_CHECK')
  expect(await client.getChainId()).toBe(config.chain.id)
})

test('block times are compared with the clock except in the local profile', async () => {
  held.moveTo(new Date('2026-01-01T01:00:00Z'))
  held.mineEmpty(1)
  await expect((await connect(undefined)).chain.head()).rejects.toMatchObject({ kind: 'future_block' })
  expect((await (await connect(undefined, 'local')).chain.head()).number).toBe(2n)
})
