import { createPublicClient, custom, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRpcChain, createRpcClient } from '../chain/rpc-chain.ts'
import { controlChain, startTestChain, type TestChain } from '../chain/testing/local-chain.ts'
import { openWatcherBench, type WatcherBench } from './testing/watcher.ts'

const SENDERS = 40
const EACH = 50
const COUNT = SENDERS * EACH

let bench: WatcherBench
let running: TestChain
beforeAll(async () => {
  bench = await openWatcherBench()
  running = await startTestChain()
})
afterAll(async () => {
  await bench.close()
  await running.stop()
})

test('a single pass credits 2,000 payments with few requests and statements', async () => {
  const { anvil, config, local } = running
  const control = controlChain({ rpcUrl: anvil.rpcUrl, chainId: config.chain.id })
  const node = createRpcClient(anvil.rpcUrl)
  await control.client.setBlockGasLimit({ gasLimit: 1_000_000_000n })
  await control.client.setAutomine(false)

  const owed = new Map<string, bigint>()
  const raw: Hex[] = []
  for (let sender = 0; sender < SENDERS; sender++) {
    const account = privateKeyToAccount(generatePrivateKey())
    await control.client.setBalance({ address: account.address, value: 10n ** 19n })
    for (let nonce = 0; nonce < EACH; nonce++) {
      const value = BigInt(sender * EACH + nonce + 1)
      owed.set(account.address.toLowerCase(), (owed.get(account.address.toLowerCase()) ?? 0n) + value)
      const gas = { gas: 60_000n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n }
      const to = local.custody.vault
      raw.push(await account.signTransaction({ chainId: config.chain.id, type: 'eip1559', nonce, to, value, ...gas }))
    }
  }
  // In slices: on a busy machine a thousand in one request exceed the response timeout.
  for (let from = 0; from < COUNT; from += 100) {
    const slice = raw.slice(from, from + 100)
    await Promise.all(slice.map((each) => node.request({ method: 'eth_sendRawTransaction', params: [each] })))
  }
  await control.mine(1)
  const block = await control.client.getBlock()
  expect(block.transactions).toHaveLength(COUNT)
  await control.client.setAutomine(true)

  const questions: string[] = []
  const watching = createPublicClient({
    cacheTime: 0,
    transport: custom({
      async request({ method, params }) {
        questions.push(method)
        return node.request({ method, params } as never)
      },
    }),
  })
  const chain = createRpcChain(watching, config.chain.id, local.custody)
  const watcher = bench.watch(chain, { confirmations: 1, startBlock: block.number })
  const before = bench.statementCount
  await watcher.poll()
  expect(await bench.depositCount()).toBe(COUNT)
  const statements = bench.statementCount - before
  for (const [user, units] of owed) expect(await bench.available(user, 'BNB')).toBe(units)
  expect(bench.alarms).toEqual([])
  expect(questions.filter((method) => method === 'eth_getLogs')).toHaveLength(1)
  expect(questions.length).toBeLessThanOrEqual(20)
  expect(statements).toBeLessThanOrEqual(40)
  await watcher.poll()
  expect(await bench.depositCount()).toBe(COUNT)
})
