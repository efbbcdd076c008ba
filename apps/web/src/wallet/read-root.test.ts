import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { encodeAbiParameters, encodeEventTopics, keccak256, numberToHex, pad } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readRoot } from './read-root.ts'

const HASH = pad('0xb10c', { size: 32 })
const VAULT = `0x${'1a'.repeat(20)}` as const
const AT = 1_900_000_000
const POSTED = {
  vault: VAULT,
  hash: HASH,
  txHash: pad('0x7e', { size: 32 }),
  postedAt: new Date(AT * 1_000).toISOString(),
}
const WORDS = [{ type: 'bytes32' }, { type: 'uint40' }, { type: 'uint40' }] as const

/** A node with one transaction. */
let node: { address: string; hash: string; slot: string; hasReceipt: boolean; latest: number; down: boolean }
beforeEach(() => {
  const slot = keccak256(encodeAbiParameters(WORDS, [HASH, AT, 3]))
  node = { address: VAULT, hash: HASH, slot, hasReceipt: true, latest: AT, down: false }
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => {
    if (node.down) throw new TypeError('Failed to fetch')
    const calls = JSON.parse(body) as Call | Call[]
    return Response.json(Array.isArray(calls) ? calls.map(reply) : reply(calls))
  })
})
afterEach(() => vi.unstubAllGlobals())

interface Call {
  readonly id: number
  readonly method: string
}

function reply({ id, method }: Call) {
  const result = (value: unknown) => ({ jsonrpc: '2.0', id, result: value })
  if (method === 'eth_getBlockByNumber')
    return result({ number: '0x9', timestamp: numberToHex(node.latest), transactions: [] })
  if (method === 'eth_call') return result(node.slot)
  return result(node.hasReceipt ? { status: '0x1', type: '0x2', logs: [logOf()] } : null)
}

function logOf() {
  const data = encodeAbiParameters(
    [{ type: 'bytes32' }, { type: 'uint40' }, { type: 'bytes' }, { type: 'uint256[]' }],
    [node.hash as `0x${string}`, AT, '0x', []],
  )
  const topics = encodeEventTopics({ abi: exitVaultAbi, eventName: 'RootPosted', args: { seq: 3, number: 7n } })
  return { address: node.address, topics, data, blockNumber: '0x9', logIndex: '0x0', transactionIndex: '0x0' }
}

const read = () => readRoot('http://node.example', POSTED)

test('a header that the vault stores is posted', async () => {
  expect(await read()).toBe('posted')
})

test.each<[string, Partial<typeof node>, string]>([
  ['the event of another contract', { address: `0x${'2b'.repeat(20)}` }, 'other'],
  ['another header', { hash: pad('0xbad', { size: 32 }) }, 'other'],
  ['a root that was dropped', { slot: pad('0x', { size: 32 }) }, 'other'],
  ['no transaction, and a later block', { hasReceipt: false, latest: AT + 1 }, 'other'],
  ['no transaction, and an earlier block', { hasReceipt: false, latest: AT }, 'unread'],
  ['silence', { down: true }, 'unread'],
  ['no vault', { slot: '0x' }, 'unread'],
])('a node that shows %s reads %s', async (_name, change, reading) => {
  Object.assign(node, change)
  expect(await read()).toBe(reading)
})
