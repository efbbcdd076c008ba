import { expect, test } from 'vitest'
import { isRefusedByUser, walletErrorText } from './wallet-error.ts'

test('a refusal is recognised however deep it stands', () => {
  expect(isRefusedByUser(new Error('outer', { cause: Object.assign(new Error('inner'), { code: 4001 }) }))).toBe(true)
  expect(isRefusedByUser(Object.assign(new Error('no'), { code: 5000 }))).toBe(true)
  expect(isRefusedByUser(new Error('no'))).toBe(false)
})

test('details come before the message', () => {
  expect(walletErrorText(Object.assign(new Error('long story'), { details: 'nonce too low' }))).toBe('nonce too low')
  expect(walletErrorText(new Error('Connector not found.'))).toBe('Connector not found.')
})
