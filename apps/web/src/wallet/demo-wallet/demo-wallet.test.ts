import { hexToString, stringToHex, verifyMessage } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DemoRequest } from './ask-in-sheet.tsx'
import { DemoWallet } from './demo-wallet.ts'

const asked: DemoRequest[] = []
let answer = true

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  vi.stubGlobal('location', { origin: 'http://127.0.0.1' })
  asked.length = 0
  answer = true
})

afterEach(() => vi.unstubAllGlobals())

function open(): DemoWallet {
  return new DemoWallet({ chainId: 31337, rpcUrl: 'http://127.0.0.1:1' }, async (request) => {
    asked.push(request)
    return answer
  })
}

test('it shows no account before it was permitted, and none after that was revoked', async () => {
  const wallet = open()
  expect(await wallet.request({ method: 'eth_accounts' })).toEqual([])
  const accounts = await wallet.request({ method: 'eth_requestAccounts' })
  expect(accounts).toHaveLength(1)
  expect(await wallet.request({ method: 'eth_accounts' })).toEqual(accounts)
  await wallet.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] })
  expect(await wallet.request({ method: 'eth_accounts' })).toEqual([])
})

test('the same key comes back after a reload', async () => {
  const accounts = await open().request({ method: 'eth_requestAccounts' })
  expect(await open().request({ method: 'eth_accounts' })).toEqual(accounts)
})

test('it shows the very text that it signs, and the signature is valid', async () => {
  const wallet = open()
  const [address] = (await wallet.request({ method: 'eth_requestAccounts' })) as [`0x${string}`]
  const text = '127.0.0.1 wants you to sign in\n明池'
  const hex = stringToHex(text)
  const signature = (await wallet.request({ method: 'personal_sign', params: [hex, address] })) as `0x${string}`
  expect(asked.at(-1)?.content).toBe(text)
  expect(hexToString(hex)).toBe(text)
  expect(await verifyMessage({ address, message: text, signature })).toBe(true)
})

test('a refusal has the code 4001 and permits nothing', async () => {
  const wallet = open()
  answer = false
  await expect(wallet.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: 4001 })
  expect(await wallet.request({ method: 'eth_accounts' })).toEqual([])
})

test('it signs for no account but its own, permitted one', async () => {
  const wallet = open()
  const params = ['0x00', '0x0000000000000000000000000000000000000001']
  await expect(wallet.request({ method: 'personal_sign', params })).rejects.toMatchObject({ code: 4100 })
  expect(asked).toEqual([])
})

test('an unknown chain has the code 4902 until it is added', async () => {
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
