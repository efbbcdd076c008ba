import { environmentManager, type MutationOptions } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isReloadBlocked } from '../browser/page-reload.ts'
import { queryClient } from './query-client.ts'
import { saveSession } from './session-store.ts'
import { commandMutation, setCommandKey } from './use-command.ts'

const OK = { code: 1, msg: 'ok', data: { status: 2 } }

let keys: (string | null)[]
let blockedMeanwhile: boolean[]
let responses: (object | Error)[]

beforeEach(() => {
  vi.useFakeTimers()
  environmentManager.setIsServer(() => false)
  saveSession({ token: 'a', user: { address: '0xA' } as never })
  keys = []
  blockedMeanwhile = []
  vi.stubGlobal('fetch', async (_url: string, { headers }: { headers: Record<string, string> }) => {
    keys.push(headers['Idempotency-Key'] ?? null)
    blockedMeanwhile.push(isReloadBlocked())
    const response = responses.shift()
    if (response === undefined || response instanceof Error) throw response ?? new Error('unexpected request')
    return Response.json(response)
  })
})

afterEach(() => {
  queryClient.clear()
  environmentManager.setIsServer(() => typeof window === 'undefined')
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('retries of a command send its key', async () => {
  responses = [new TypeError('Failed to fetch'), { code: 50000, msg: 'x', data: null }, OK]
  await expect(confirm()).resolves.toEqual({ status: 2 })
  expect(keys).toHaveLength(3)
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
})

test('an unconfirmed command keeps its key when its sheet closes', async () => {
  responses = lostFourTimes()
  await expect(confirm()).rejects.toMatchObject({ name: 'NoResponseError' })
  responses = [OK, OK]
  // Each call is a new mutation, as in a sheet that is opened again.
  await confirm()
  expect(new Set(keys).size).toBe(1)
  await confirm()
  expect(new Set(keys).size).toBe(2)
})

test('a command with another payload sends a new key', async () => {
  responses = lostFourTimes()
  await expect(cancel('1')).rejects.toMatchObject({ name: 'NoResponseError' })
  responses = [OK, OK]
  await cancel('2')
  expect(new Set(keys).size).toBe(2)
  await cancel('1')
  expect(keys.at(-1)).toBe(keys[0])
})

test('a command of another account sends a new key', async () => {
  responses = lostFourTimes()
  await expect(confirm()).rejects.toMatchObject({ name: 'NoResponseError' })
  saveSession({ token: 'b', user: { address: '0xB' } as never })
  responses = [OK]
  await confirm()
  expect(new Set(keys).size).toBe(2)
})

test('a refused command drops its key', async () => {
  responses = [{ code: 20001, msg: '餘額不足', data: null }, OK]
  await expect(confirm()).rejects.toMatchObject({ code: 20001 })
  await confirm()
  expect(new Set(keys).size).toBe(2)
})

test('a command sends the key that its caller stored', async () => {
  setCommandKey('activeByBalance', {}, 'stored-key')
  responses = [OK, OK]
  await confirm()
  await confirm()
  expect(keys[0]).toBe('stored-key')
  expect(keys[1]).not.toBe('stored-key')
})

test('a command blocks reloads until its outcome, pauses included', async () => {
  responses = [new TypeError('Failed to fetch'), OK]
  const outcome = confirm({ advance: false })
  await vi.advanceTimersByTimeAsync(500)
  expect(keys).toHaveLength(1)
  expect(isReloadBlocked()).toBe(true)
  await vi.advanceTimersByTimeAsync(1_000)
  await outcome
  expect(blockedMeanwhile).toEqual([true, true])
  expect(isReloadBlocked()).toBe(false)
})

test('a refused command unblocks reloads', async () => {
  responses = [{ code: 20001, msg: '餘額不足', data: null }]
  await expect(confirm()).rejects.toMatchObject({ code: 20001 })
  expect(isReloadBlocked()).toBe(false)
})

const lostFourTimes = () => Array.from({ length: 4 }, () => new TypeError('Failed to fetch'))

async function confirm({ advance = true } = {}): Promise<unknown> {
  return run(commandMutation('activeByBalance', { silent: true }), {}, { advance })
}

async function cancel(alertId: string): Promise<unknown> {
  return run(commandMutation('cancelAlert', { silent: true }), { alert_id: alertId }, { advance: true })
}

async function run<Data, Payload>(
  options: MutationOptions<Data, Error, Payload, { unblock: () => void }>,
  payload: Payload,
  { advance }: { advance: boolean },
): Promise<Data> {
  const outcome = queryClient
    .getMutationCache()
    .build(queryClient, queryClient.defaultMutationOptions(options))
    .execute(payload)
  outcome.catch(() => {})
  if (advance) await vi.advanceTimersByTimeAsync(60_000)
  return outcome
}
