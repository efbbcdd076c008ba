import { beforeEach, expect, test, vi } from 'vitest'

const ALICE = '0xaaaa000000000000000000000000000000000001'
const KEY = 'clearwell.swap.interrupted'
const SWAP = { pair: 'BNBUSDT', sell: 'USDT', amount: '100.5' } as const

let kept: Map<string, string>
beforeEach(() => {
  vi.resetModules()
  kept = new Map()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})

test('keeps an interrupted swap in the tab until it is resumed', async () => {
  const { interruptSwap, resumeSwap, takeResumedSwap } = await import('./interrupted-swap.ts')
  interruptSwap(ALICE, SWAP)
  expect(JSON.parse(kept.get(KEY) ?? '')).toEqual({ owner: ALICE, swap: SWAP })
  expect(takeResumedSwap()).toBe(false)
  resumeSwap()
  expect(kept.has(KEY)).toBe(false)
  expect([takeResumedSwap(), takeResumedSwap()]).toEqual([true, false])
})

test('forgets an interrupted swap when the wallet disconnects', async () => {
  const { interruptSwap } = await import('./interrupted-swap.ts')
  const { walletStore } = await import('../wallet/wallet-store.ts')
  walletStore.set({ status: 'connected' })
  interruptSwap(ALICE, SWAP)
  walletStore.set({ status: 'disconnected' })
  expect(kept.has(KEY)).toBe(false)
})
