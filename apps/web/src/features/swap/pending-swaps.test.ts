import { beforeEach, expect, test, vi } from 'vitest'
import type { PendingSwap } from './pending-swaps.ts'

const ALICE = '0xaaaa000000000000000000000000000000000001'
const BOB = '0xbbbb000000000000000000000000000000000002'
const STORAGE_KEY = 'clearwell.swap.pending'

const stored = new Map<string, string>()
let isFull = false

beforeEach(() => {
  vi.resetModules()
  stored.clear()
  isFull = false
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (isFull) throw new Error('QuotaExceededError')
      stored.set(key, value)
    },
    removeItem: (key: string) => stored.delete(key),
  })
})

const swap = (key: string, owner = ALICE): PendingSwap => ({
  key,
  owner,
  payload: {
    pool_id: 'bnb-usdt',
    amount: '1',
    inverse: 0,
    min_amount_out: '600',
    deadline: '2030-01-01T00:00:00.000Z',
  },
  sold: 'BNB',
  bought: 'USDT',
  exact: 'in',
  quotedIn: '1',
  quotedOut: '600',
  limit: '590',
})

test('a stored swap keeps its key and payload on the next visit', async () => {
  const { keepPendingSwap } = await import('./pending-swaps.ts')
  keepPendingSwap(swap('key-0001'))
  vi.resetModules()
  const { readPendingSwaps } = await import('./pending-swaps.ts')
  expect(readPendingSwaps(ALICE.toUpperCase().replace('0X', '0x'))).toEqual([swap('key-0001')])
})

test('a stored swap is sent again under its key', async () => {
  const { storeBeforeSending } = await import('./swap.queries.ts')
  const { readPendingSwaps } = await import('./pending-swaps.ts')
  const { commandMutation } = await import('../../api/use-command.ts')
  const { saveSession } = await import('../../api/session-store.ts')
  saveSession({ token: 'a', user: { address: ALICE } as never })
  const keys: (string | undefined)[] = []
  vi.stubGlobal('fetch', async (_url: string, { headers }: { headers: Record<string, string> }) => {
    keys.push(headers['Idempotency-Key'])
    throw new TypeError('Failed to fetch')
  })
  for (let time = 0; time < 2; time += 1) {
    storeBeforeSending(swap('key-0001'))
    const sent = commandMutation('doSwap', { silent: true }).mutationFn?.(swap('').payload, {} as never)
    await expect(sent).rejects.toMatchObject({ name: 'NoResponseError' })
  }
  expect(keys).toEqual(['key-0001', 'key-0001'])
  expect(readPendingSwaps(ALICE)).toHaveLength(1)
})

test('a pending swap is hidden from other accounts until its swap', async () => {
  const { keepPendingSwap, readPendingSwaps } = await import('./pending-swaps.ts')
  keepPendingSwap(swap('key-0001'))
  expect(readPendingSwaps(BOB)).toEqual([])
  expect(readPendingSwaps('')).toEqual([])
  keepPendingSwap(swap('key-0002', BOB))
  expect(stored.get(STORAGE_KEY)).not.toContain(ALICE)
})

test('forgetting a swap keeps the others', async () => {
  const { forgetPendingSwap, keepPendingSwap, readPendingSwaps } = await import('./pending-swaps.ts')
  keepPendingSwap(swap('key-0001'))
  keepPendingSwap(swap('key-0002'))
  forgetPendingSwap('key-0001')
  expect(readPendingSwaps(ALICE).map(({ key }) => key)).toEqual(['key-0002'])
  forgetPendingSwap('key-0002')
  expect(stored.has(STORAGE_KEY)).toBe(false)
})

test('disconnecting the wallet clears pending swaps, an expired session keeps them', async () => {
  const { keepPendingSwap } = await import('./pending-swaps.ts')
  const { walletStore } = await import('../../wallet/wallet-store.ts')
  const { forgetSession } = await import('../../api/session-store.ts')
  walletStore.set({ status: 'connected', address: ALICE as `0x${string}` })
  keepPendingSwap(swap('key-0001'))
  forgetSession()
  expect(stored.has(STORAGE_KEY)).toBe(true)
  walletStore.set({ status: 'disconnected' })
  expect(stored.has(STORAGE_KEY)).toBe(false)
})

test.each([
  'not JSON',
  '{"key":"x"}',
  '[null, 5, {"key":"key-0001"}]',
  JSON.stringify([{ ...swap('k'), quotedIn: '1.5' }]),
])('ignores foreign storage content %s', async (text) => {
  stored.set(STORAGE_KEY, text)
  const { readPendingSwaps } = await import('./pending-swaps.ts')
  expect(readPendingSwaps(ALICE)).toEqual([])
})

test('keeps a swap in memory when the storage is full', async () => {
  isFull = true
  const { keepPendingSwap, readPendingSwaps } = await import('./pending-swaps.ts')
  keepPendingSwap(swap('key-0001'))
  expect(readPendingSwaps(ALICE)).toHaveLength(1)
  expect(stored.has(STORAGE_KEY)).toBe(false)
})
