import { inspect } from 'node:util'
import { type BaseError, ContractFunctionRevertedError, parseAbi, toFunctionSelector } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { nodeErrorOf } from './node-error.ts'
import { createRpcClient } from './rpc-chain.ts'
import { HttpRefusal, NodeRefusal, startTestNode, type TestNode } from './testing/node.ts'
import { createSimulatedChain } from './testing/simulated-chain.ts'

let node: TestNode
let client: ReturnType<typeof createRpcClient>
beforeEach(async () => {
  const chain = createSimulatedChain(56)
  chain.mineEmpty(199)
  node = await startTestNode(chain)
  client = createRpcClient(node.rpcUrl)
})
afterEach(() => node.stop())

const block = (number: number) =>
  client.request({ method: 'eth_getBlockByNumber', params: [`0x${number.toString(16)}`, false] })
const blocks = async (count: number) => {
  const responses = await Promise.all(Array.from({ length: count }, (_, index) => block(index)))
  return responses.map((response) => Number(response?.number))
}
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)
const rejection = (asking: Promise<unknown>) =>
  asking.then(
    () => undefined,
    (error: unknown) => error,
  )

test('the transport sends concurrent requests as one batch', async () => {
  expect(await blocks(50)).toEqual(upTo(50))
  expect(node.requestCount).toBe(1)
  expect(await blocks(120)).toEqual(upTo(120))
  expect(node.requestCount).toBe(2)
})

test('the transport sends at most a thousand requests per batch', async () => {
  const responses = await Promise.all(Array.from({ length: 1_001 }, () => client.request({ method: 'eth_chainId' })))
  expect(new Set(responses)).toEqual(new Set(['0x38']))
  expect(node.requestCount).toBe(2)
  expect(node.asked).toHaveLength(1_001)
})

test.each([1, 3, 10])('the transport learns and remembers a batch limit of %i', async (maxBatch) => {
  node.maxBatch = maxBatch
  expect(await blocks(20)).toEqual(upTo(20))
  const before = node.requestCount
  expect(await blocks(20)).toEqual(upTo(20))
  expect(node.requestCount - before).toBeLessThanOrEqual(Math.ceil(20 / Math.max(1, maxBatch / 2)))
})

test('an error in a batch fails only its own request', async () => {
  node.lie = ({ params }, honest) => {
    if (params[0] === '0x1') throw new NodeRefusal(-32602, 'not that one')
    return honest
  }
  const [zero, one, two] = await Promise.allSettled([block(0), block(1), block(2)])
  expect([zero.status, one.status, two.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(nodeErrorOf((one as PromiseRejectedResult).reason)).toMatchObject({ code: -32602 })
})

test.each([
  ['in its data', (data: string) => data],
  ['one level deeper', (data: string) => ({ data })],
])('a contract’s refusal keeps its name: %s', async (_name, wrap) => {
  node.lie = ({ method }, honest) => {
    if (method === 'eth_call') throw new NodeRefusal(3, 'execution reverted', wrap(toFunctionSelector('WrongAssets()')))
    return honest
  }
  const abi = parseAbi(['error WrongAssets()', 'function post() view'])
  const call = { address: `0x${'1'.repeat(40)}`, abi, functionName: 'post' } as const
  const error = (await rejection(client.readContract(call))) as BaseError
  const reverted = error.walk((each) => each instanceof ContractFunctionRevertedError)
  expect((reverted as ContractFunctionRevertedError).data?.errorName).toBe('WrongAssets')
})

test("an error omits the node's address even when a response repeats it", async () => {
  const lies = [
    () => {
      throw new NodeRefusal(-32602, `no access at ${node.rpcUrl} for you`, { url: node.rpcUrl })
    },
    () => {
      throw new HttpRefusal(401)
    },
  ]
  const errors: unknown[] = []
  for (const lie of lies) {
    node.lie = lie
    errors.push(await rejection(client.request({ method: 'eth_chainId' }, { retryCount: 0 })))
  }
  await node.stop()
  errors.push(await rejection(client.request({ method: 'eth_chainId' }, { retryCount: 0 })))
  errors.push(
    await rejection(client.readContract({ address: `0x${'1'.repeat(40)}`, abi: [], functionName: 'x' } as never)),
  )
  expect(errors).toHaveLength(4)
  for (const error of errors) {
    expect(error).toBeInstanceOf(Error)
    expect(inspect(error, { depth: 10 })).not.toContain('s3cret')
  }
  expect(nodeErrorOf(errors[1])).toMatchObject({ status: 401 })
  expect(nodeErrorOf(errors[2])?.message).toContain('ECONNREFUSED')
})

test('the transport rejects a response with another id or without a result', async () => {
  node.lie = () => undefined
  const error = await rejection(client.request({ method: 'eth_chainId' }, { retryCount: 0 }))
  expect(nodeErrorOf(error)?.message).toContain('no JSON-RPC')
})

test('the transport retries a temporary failure', async () => {
  let failures = 2
  node.lie = (_question, honest) => {
    if (failures-- > 0) throw new HttpRefusal(503)
    return honest
  }
  expect(await client.getChainId()).toBe(56)
})

test.each([403, 408, 413, 429, 500, 502, 503, 504])(
  'the transport retries HTTP status %i three times',
  async (status) => {
    node.lie = () => {
      throw new HttpRefusal(status)
    }
    expect(nodeErrorOf(await rejection(client.request({ method: 'eth_chainId' })))).toMatchObject({ status })
    expect(node.asked).toHaveLength(4)
  },
)

test.each([-32005, -32603, -1])('the transport retries JSON-RPC code %i three times', async (code) => {
  node.lie = () => {
    throw new NodeRefusal(code, 'not now')
  }
  expect(nodeErrorOf(await rejection(client.request({ method: 'eth_chainId' })))).toMatchObject({ code })
  expect(node.asked).toHaveLength(4)
})

test.each([
  ['HTTP status 401', new HttpRefusal(401)],
  ['HTTP status 404', new HttpRefusal(404)],
  ['code -32602', new NodeRefusal(-32602, 'no')],
  ['a code of one vendor alone', new NodeRefusal(-32614, 'no')],
])('%s is asked once', async (_name, refusal) => {
  node.lie = () => {
    throw refusal
  }
  expect(nodeErrorOf(await rejection(client.request({ method: 'eth_chainId' })))).toBeDefined()
  expect(node.asked).toHaveLength(1)
})

test('the transport waits for Retry-After before it retries', async () => {
  const times: number[] = []
  node.lie = (_question, honest) => {
    times.push(performance.now())
    if (times.length === 1) throw new HttpRefusal(429, { 'retry-after': '1' })
    return honest
  }
  expect(await client.getChainId()).toBe(56)
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(950)
})

test('the transport does not retry a reverted call', async () => {
  node.lie = () => {
    throw new NodeRefusal(3, 'execution reverted')
  }
  const error = await rejection(client.call({ to: `0x${'1'.repeat(40)}`, data: '0x' }))
  expect(nodeErrorOf(error)).toMatchObject({ code: 3 })
  expect(node.asked).toHaveLength(1)
})
