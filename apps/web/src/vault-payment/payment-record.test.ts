import { fakeStorage } from '@clearwell/ui/browser/testing/fake-storage.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { forgetPayment, readPayment, savePayment } from './payment-record.ts'

const stored = new Map<string, string>()
const alice = '0xAAAA000000000000000000000000000000000001'
const bob = '0xBBBB000000000000000000000000000000000002'

beforeEach(() => {
  stored.clear()
  vi.stubGlobal('window', { addEventListener: () => {} })
  vi.stubGlobal('localStorage', fakeStorage(stored))
})

test('a payment is stored for its account in any spelling', () => {
  savePayment(alice, { orderId: '0x1', transfer: { asset: 'USDT', amount: '100' } })
  savePayment(alice, { orderId: '0x1', approvalHash: '0xa' })
  savePayment(alice.toLowerCase(), { orderId: '0x1', asked: true, hash: '0xb' })
  expect(readPayment(alice, '0x1')).toMatchObject({
    transfer: { asset: 'USDT', amount: '100' },
    approvalHash: '0xa',
    asked: true,
    hash: '0xb',
  })
  expect(readPayment(bob, '0x1')).toBeUndefined()
})

test('keeps the newest twenty payments', () => {
  for (let i = 0; i < 21; i += 1) savePayment(alice, { orderId: `0x${i}`, asked: true })
  expect(readPayment(alice, '0x0')).toBeUndefined()
  expect(readPayment(alice, '0x1')).toBeDefined()
  expect(readPayment(alice, '0x20')).toBeDefined()
})

test('forgets one payment and keeps the others', () => {
  savePayment(alice, { orderId: '0x1', hash: '0xa' })
  savePayment(alice, { orderId: '0x2', hash: '0xb' })
  forgetPayment(alice, '0x1')
  expect(readPayment(alice, '0x1')).toBeUndefined()
  expect(readPayment(alice, '0x2')).toMatchObject({ hash: '0xb' })
})

test('ignores stored values that are no payments', () => {
  const owner = alice.toLowerCase()
  for (const value of ['{"not": "a payment"}', JSON.stringify({ owner, at: 1, value: { hash: '0xb' } })]) {
    stored.set('clearwell.payments.0x1', value)
    expect(readPayment(alice, '0x1')).toBeUndefined()
  }
})

test('continues when the storage is full', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new Error('QuotaExceededError')
    },
  })
  expect(() => savePayment(alice, { orderId: '0x1', hash: '0xb' })).not.toThrow()
})
