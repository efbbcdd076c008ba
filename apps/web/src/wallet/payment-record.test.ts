import { beforeEach, expect, test, vi } from 'vitest'
import { forgetPayment, readPayment, savePayment } from './payment-record.ts'

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

test('what a payment has come to is kept for its account, whatever the case of the address, and for no other', () => {
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

test('the oldest payments are forgotten once there are twenty', () => {
  for (let i = 0; i < 21; i += 1) savePayment(alice, { orderId: `0x${i}`, asked: true })
  expect(readPayment(alice, '0x0')).toBeUndefined()
  expect(readPayment(alice, '0x1')).toBeDefined()
  expect(readPayment(alice, '0x20')).toBeDefined()
})

test('a payment that is forgotten takes no other with it', () => {
  savePayment(alice, { orderId: '0x1', hash: '0xa' })
  savePayment(alice, { orderId: '0x2', hash: '0xb' })
  forgetPayment(alice, '0x1')
  expect(readPayment(alice, '0x1')).toBeUndefined()
  expect(readPayment(alice, '0x2')).toMatchObject({ hash: '0xb' })
})

test('what is stored by something else is no payment', () => {
  stored.set(`clearwell.payments.${alice.toLowerCase()}`, '{"not": "a list"}')
  expect(readPayment(alice, '0x1')).toBeUndefined()
  stored.set(`clearwell.payments.${alice.toLowerCase()}`, '[null, 5, {"orderId": "0x1"}]')
  expect(readPayment(alice, '0x1')).toBeDefined()
})

test('a storage that is full costs nothing but the memory over a reload', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new Error('QuotaExceededError')
    },
  })
  expect(() => savePayment(alice, { orderId: '0x1', hash: '0xb' })).not.toThrow()
})
