import { environmentManager } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isReloadBlocked } from '../browser/page-reload.ts'
import { queryClient } from './query-client.ts'
import { type Confirmation, moneyMutation } from './use-money-call.ts'

const OK = { code: 1, msg: 'ok', data: { status: 2 } }

let keys: (string | null)[]
let heldMeanwhile: boolean[]
let answers: (object | Error)[]

beforeEach(() => {
  vi.useFakeTimers()
  environmentManager.setIsServer(() => false)
  keys = []
  heldMeanwhile = []
  vi.stubGlobal('fetch', async (_url: string, { headers }: { headers: Record<string, string> }) => {
    keys.push(headers['Idempotency-Key'] ?? null)
    heldMeanwhile.push(isReloadBlocked())
    const answer = answers.shift()
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error('unexpected request')
    return Response.json(answer)
  })
})

afterEach(() => {
  queryClient.clear()
  environmentManager.setIsServer(() => typeof window === 'undefined')
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('every attempt of one confirmation carries the same key', async () => {
  answers = [new TypeError('Failed to fetch'), { code: 50000, msg: 'x', data: null }, OK]
  await expect(confirm({ open: undefined })).resolves.toEqual({ status: 2 })
  expect(keys).toHaveLength(3)
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
})

test('pressing again after no answer is still the same confirmation; after an answer it is a new one', async () => {
  const confirmation: Confirmation = { open: undefined }
  answers = Array.from({ length: 4 }, () => new TypeError('Failed to fetch'))
  await expect(confirm(confirmation)).rejects.toMatchObject({ name: 'NoAnswerError' })
  answers = [OK, OK]
  await confirm(confirmation)
  expect(new Set(keys).size).toBe(1)
  await confirm(confirmation)
  expect(new Set(keys).size).toBe(2)
})

test('a refusal is an answer, so the next confirmation has a key of its own', async () => {
  const confirmation: Confirmation = { open: undefined }
  answers = [{ code: 20001, msg: '餘額不足', data: null }, OK]
  await expect(confirm(confirmation)).rejects.toMatchObject({ code: 20001 })
  await confirm(confirmation)
  expect(new Set(keys).size).toBe(2)
})

test('the page is held from the confirmation to its outcome, pauses included, and no longer', async () => {
  answers = [new TypeError('Failed to fetch'), OK]
  const outcome = confirm({ open: undefined }, { advance: false })
  await vi.advanceTimersByTimeAsync(500)
  expect(keys).toHaveLength(1)
  expect(isReloadBlocked()).toBe(true)
  await vi.advanceTimersByTimeAsync(1_000)
  await outcome
  expect(heldMeanwhile).toEqual([true, true])
  expect(isReloadBlocked()).toBe(false)
})

test('the page is let go after a failure too', async () => {
  answers = [{ code: 20001, msg: '餘額不足', data: null }]
  await expect(confirm({ open: undefined })).rejects.toMatchObject({ code: 20001 })
  expect(isReloadBlocked()).toBe(false)
})

async function confirm(confirmation: Confirmation, { advance = true } = {}): Promise<unknown> {
  const outcome = queryClient
    .getMutationCache()
    .build(
      queryClient,
      queryClient.defaultMutationOptions(moneyMutation('activeByBalance', { silent: true, confirmation })),
    )
    .execute({})
  outcome.catch(() => {})
  if (advance) await vi.advanceTimersByTimeAsync(60_000)
  return outcome
}
