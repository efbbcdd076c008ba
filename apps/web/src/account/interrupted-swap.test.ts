import { forgetUntilDisconnect } from '@clearwell/ui/browser/stored.ts'
import { fakeStorage } from '@clearwell/ui/browser/testing/fake-storage.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { interruptSwap, resumeSwap, takeResumedSwap } from './interrupted-swap.ts'

const ALICE = '0xaaaa000000000000000000000000000000000001'
const KEY = 'clearwell.until-disconnect.interrupted-swap'
const SWAP = { pair: 'BNBUSDT', sell: 'USDT', amount: '100.5' } as const

let kept: Map<string, string>
beforeEach(() => {
  kept = new Map()
  vi.stubGlobal('sessionStorage', fakeStorage(kept))
})

test('keeps an interrupted swap in the tab until it is resumed', () => {
  interruptSwap(ALICE, SWAP)
  expect(JSON.parse(kept.get(KEY) ?? '')).toEqual({ owner: ALICE, value: SWAP })
  expect(takeResumedSwap()).toBe(false)
  resumeSwap(ALICE)
  expect(kept.has(KEY)).toBe(false)
  expect([takeResumedSwap(), takeResumedSwap()]).toEqual([true, false])
})

test('forgets an interrupted swap when the wallet disconnects', () => {
  interruptSwap(ALICE, SWAP)
  forgetUntilDisconnect()
  expect(kept.has(KEY)).toBe(false)
})
