import { DEMO_VISITOR_ADDRESS, DEMO_VISITOR_KEY } from '@clearwell/api/demo-visitor'
import { hexToString, parseTransaction, stringToHex, verifyMessage } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DemoRequest } from './ask-in-sheet.tsx'
import { DemoWallet } from './demo-wallet.ts'

const asked: DemoRequest[] = []
let response = true

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  vi.stubGlobal('location', { origin: 'http://127.0.0.1' })
  asked.length = 0
  response = true
})

afterEach(() => vi.unstubAllGlobals())

function open(): DemoWallet {
  const ask = async (request: DemoRequest) => {
    asked.push(request)
    return response
  }
  return new DemoWallet({ chainId: 31337, rpcUrl: 'http://127.0.0.1:1' }, { ask })
}

test('the demo wallet shows an account only while it is permitted', async () => {
  const wallet = open()
  expect(await wallet.request({ method: 'eth_accounts' })).toEqual([])
  const accounts = await wallet.request({ method: 'eth_requestAccounts' })
  expect(accounts).toHaveLength(1)
  expect(await wallet.request({ method: 'eth_accounts' })).toEqual(accounts)
  await wallet.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] })
  expect(await wallet.request({ method: 'eth_accounts' })).toEqual([])
})

test('the address of the demo visitor belongs to its key', () => {
  expect(DEMO_VISITOR_ADDRESS).toBe(privateKeyToAddress(DEMO_VISITOR_KEY).toLowerCase())
})

test('the demo wallet keeps its key after a reload', async () => {
  const accounts = await open().request({ method: 'eth_requestAccounts' })
  expect(await open().request({ method: 'eth_accounts' })).toEqual(accounts)
})

test('the demo wallet shows the exact text that it validly signs', async () => {
  const wallet = open()
  const [address] = (await wallet.request({ method: 'eth_requestAccounts' })) as [`0x${string}`]
  const text = '127.0.0.1 wants you to sign in\n明池'
  const hex = stringToHex(text)
  const signature = (await wallet.request({ method: 'personal_sign', params: [hex, address] })) as `0x${string}`
  expect(asked.at(-1)?.content).toBe(text)
  expect(hexToString(hex)).toBe(text)
  expect(await verifyMessage({ address, message: text, signature })).toBe(true)
})

test('a rejection has the code 4001 and permits nothing', async () => {
  const wallet = open()
  response = false
  await expect(wallet.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: 4001 })
  expect(await wallet.request({ method: 'eth_accounts' })).toEqual([])
})

/** A node that takes every transaction, and estimates too little gas for each. */
function answerAsNode() {
  const sent: `0x${string}`[] = []
  const replies: Readonly<Record<string, unknown>> = {
    eth_chainId: '0x7a69',
    eth_getTransactionCount: '0x0',
    eth_getBlockByNumber: { number: '0x1', baseFeePerGas: '0x1', transactions: [] },
    eth_maxPriorityFeePerGas: '0x1',
    eth_estimateGas: '0x5208',
  }
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => {
    const { id, method, params } = JSON.parse(body)
    if (method === 'eth_sendRawTransaction') sent.push(params[0])
    const result = method === 'eth_sendRawTransaction' ? `0x${'1'.repeat(64)}` : replies[method]
    const reply = result === undefined ? { error: { code: -32601, message: 'method not found' } } : { result }
    return new Response(JSON.stringify({ jsonrpc: '2.0', id, ...reply }))
  })
  return sent
}

test('the demo wallet sends the gas that the page offers', async () => {
  const sent = answerAsNode()
  const wallet = open()
  const [from] = (await wallet.request({ method: 'eth_requestAccounts' })) as [string]
  const call = { from, to: `0x${'2'.repeat(40)}`, data: '0x01' }
  await wallet.request({ method: 'eth_sendTransaction', params: [{ ...call, gas: '0x1d4c0' }] })
  await wallet.request({ method: 'eth_sendTransaction', params: [call] })
  expect(sent.map((raw) => parseTransaction(raw).gas)).toEqual([120_000n, 21_000n])
})

test('the demo wallet signs only for its permitted account', async () => {
  const wallet = open()
  const params = ['0x00', '0x0000000000000000000000000000000000000001']
  await expect(wallet.request({ method: 'personal_sign', params })).rejects.toMatchObject({ code: 4100 })
  expect(asked).toEqual([])
})

test('the demo wallet reports 4902 until a chain is added', async () => {
  const wallet = open()
  const chainId = '0x38'
  const switching = { method: 'wallet_switchEthereumChain', params: [{ chainId }] }
  await expect(wallet.request(switching)).rejects.toMatchObject({ code: 4902 })
  const changes: unknown[] = []
  wallet.on('chainChanged', (id) => changes.push(id))
  await wallet.request({
    method: 'wallet_addEthereumChain',
    params: [{ chainId, chainName: 'BNB Smart Chain', rpcUrls: ['http://127.0.0.1:1'] }],
  })
  expect(await wallet.request({ method: 'eth_chainId' })).toBe(chainId)
  expect(changes).toEqual([chainId])
})
