import { numberToHex, pad } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testConfig } from '../testing/config.ts'
import { readVault } from './read-vault.ts'

const HASH = pad('0xb10c', { size: 32 })
const VAULT = testConfig().vault

/** A node at block 9 that keeps the state of blocks from `oldestState` on. */
let node: { head: number; oldestState: number; down: boolean }
let bodies: unknown[]

interface RpcCall {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

beforeEach(() => {
  node = { head: 9, oldestState: 0, down: false }
  bodies = []
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => {
    if (node.down) throw new TypeError('Failed to fetch')
    const calls = JSON.parse(body) as RpcCall | RpcCall[]
    bodies.push(calls)
    return Response.json(Array.isArray(calls) ? calls.map(reply) : reply(calls))
  })
})
afterEach(() => vi.unstubAllGlobals())

function reply({ id, method, params }: RpcCall) {
  const result = (value: unknown) => ({ jsonrpc: '2.0', id, result: value })
  const at = (text: unknown) => (text === 'latest' ? node.head : Number(text))
  if (method === 'eth_getBlockByNumber') {
    const number = at(params[0])
    return result(
      number > node.head ? null : { number: numberToHex(number), hash: HASH, timestamp: '0x1', transactions: [] },
    )
  }
  const number = at(params[1])
  if (number > node.head || number < node.oldestState)
    return { jsonrpc: '2.0', id, error: { code: -32000, message: 'missing trie node' } }
  return result(method === 'eth_getBalance' ? numberToHex(5n * 10n ** 18n) : pad(numberToHex(number), { size: 32 }))
}

const read = (block: number) =>
  readVault({ rpcUrl: 'http://node.example', vault: VAULT, assets: testConfig().assets, block })

test('reads every asset of the vault at the block, in one request', async () => {
  expect(await read(7)).toEqual({
    blockHash: HASH,
    readAt: 7,
    balances: { BNB: '5', USDT: '0.000000000000000007', ETH: '0.000000000000000007' },
  })
  expect(bodies).toHaveLength(1)
})

test('reads the latest block where the node forgot the state', async () => {
  node.oldestState = 8
  expect(await read(7)).toMatchObject({
    blockHash: HASH,
    readAt: 9,
    balances: { USDT: '0.000000000000000009' },
  })
})

test('reports no hash where the node has not reached the block', async () => {
  expect(await read(12)).toMatchObject({ blockHash: null, readAt: 9 })
})

test('throws when the node does not respond', async () => {
  node.down = true
  await expect(read(7)).rejects.toThrow()
})
