import { beforeEach, expect, test, vi } from 'vitest'
import { readTransfer, saveTransfer } from './transfer-record.ts'

const stored = new Map<string, string>()
const alice = '0xAAAA000000000000000000000000000000000001'
const bob = '0xBBBB000000000000000000000000000000000002'

beforeEach(() => {
  stored.clear()
  vi.stubGlobal('window', { addEventListener: () => {} })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
})

test('what a transfer has come to is kept for its account, whatever the case of the address, and for no other', () => {
  saveTransfer(alice, { orderId: '0x1', asset: 'USDT', amount: '100' })
  saveTransfer(alice, { orderId: '0x1', approveHash: '0xa' })
  saveTransfer(alice.toLowerCase(), { orderId: '0x1', sendAsked: true, sendHash: '0xb' })
  expect(readTransfer(alice, '0x1')).toMatchObject({
    asset: 'USDT',
    amount: '100',
    approveHash: '0xa',
    sendAsked: true,
    sendHash: '0xb',
  })
  expect(readTransfer(bob, '0x1')).toBeUndefined()
})

test('the oldest transfers are forgotten once there are twenty', () => {
  for (let i = 0; i < 21; i += 1) saveTransfer(alice, { orderId: `0x${i}`, asset: 'BNB', amount: '1' })
  expect(readTransfer(alice, '0x0')).toBeUndefined()
  expect(readTransfer(alice, '0x1')).toBeDefined()
  expect(readTransfer(alice, '0x20')).toBeDefined()
})

test('what is stored by something else is no transfer', () => {
  stored.set(`clearwell.transfers.${alice.toLowerCase()}`, '{"not": "a list"}')
  expect(readTransfer(alice, '0x1')).toBeUndefined()
  stored.set(`clearwell.transfers.${alice.toLowerCase()}`, '[null, 5, {"orderId": "0x1"}]')
  expect(readTransfer(alice, '0x1')).toBeDefined()
})

test('a storage that is full costs nothing but the memory over a reload', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new Error('QuotaExceededError')
    },
  })
  expect(() => saveTransfer(alice, { orderId: '0x1', sendHash: '0xb' })).not.toThrow()
})
