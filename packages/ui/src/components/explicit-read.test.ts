import { beforeEach, expect, test } from 'vitest'
import { explicitRead } from './explicit-read.ts'
import { messageStore } from './toast-store.ts'

beforeEach(() => messageStore.set(undefined))

test("a refused explicit read shows the server's text in a dialog", async () => {
  await explicitRead(async () => ({ isError: true, error: named('ApiError', '交易已暫停') }))
  expect(messageStore.get()).toEqual({ text: '交易已暫停' })
})

test('an explicit read that throws shows a dialog', async () => {
  await explicitRead(() => Promise.reject(named('NoResponseError', 'no answer')))
  expect(messageStore.get()?.text).toBe('未能連接伺服器，請檢查網絡連線，再試一次。')
})

test('a successful explicit read shows nothing more', async () => {
  await explicitRead(async () => ({ isError: false, error: null, data: [] }))
  await explicitRead(() => undefined)
  expect(messageStore.get()).toBeUndefined()
})

/** The two errors of the API, which the base components know by their names alone. */
function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name })
}
