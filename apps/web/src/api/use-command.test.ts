import { forgetUntilDisconnect } from '@clearwell/ui/browser/stored.ts'
import { fakeStorage } from '@clearwell/ui/browser/testing/fake-storage.ts'
import { environmentManager } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isReloadBlocked } from '../browser/page-reload.ts'
import type { CommandName } from './client.ts'
import { keepForm, keptFields } from './kept-forms.ts'
import { lostStore } from './lost-command.ts'
import { queryClient } from './query-client.ts'
import { ownSentCommands, sendingStore, sentCommandsOf, untilSettled } from './sent-commands.ts'
import { forgetSession, provideSignIn, saveSession } from './session-store.ts'
import { commandMutation, confirm, outcomeKey } from './use-command.ts'

const ALICE = '0xAAAA000000000000000000000000000000000001'
const BOB = '0xbbbb000000000000000000000000000000000002'
const OK = { code: 1, msg: 'ok', data: { status: 2 } }
const REFUSED = { code: 20001, msg: '餘額不足', data: null }
const BUSY = { code: 42900, msg: 'Too many requests', data: null }
const SERVER_TIME = '2030-01-01T00:00:00.000Z'

let kept: Map<string, string>
let sent: { path: string; key: string | null; isStored: boolean; isBlocked: boolean }[]
let responses: (object | Error)[]
let isShown: boolean

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse(SERVER_TIME) })
  environmentManager.setIsServer(() => false)
  kept = new Map()
  vi.stubGlobal('localStorage', fakeStorage(kept))
  vi.stubGlobal('navigator', { onLine: true, locks: fakeLocks() })
  saveSession({ token: 'a', user: { address: ALICE } as never })
  queryClient.setQueryData(['config', {}], { time: SERVER_TIME })
  isShown = true
  sent = []
  vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Record<string, string> }) => {
    const key = headers['Idempotency-Key'] ?? null
    const isStored = ownSentCommands().get(key ?? '') !== undefined
    sent.push({ path: url, key, isStored, isBlocked: isReloadBlocked() })
    const response = responses.shift()
    if (response === undefined || response instanceof Error) throw response ?? new Error('unexpected request')
    return Response.json(response)
  })
})

afterEach(() => {
  queryClient.clear()
  lostStore.set([])
  forgetSession()
  environmentManager.setIsServer(() => typeof window === 'undefined')
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Locks as a browser with one tab has them: a later request waits for the earlier ones. */
function fakeLocks() {
  const last = new Map<string, Promise<void>>()
  return {
    request(name: string, run: () => Promise<void> | void): Promise<void> {
      const next = (last.get(name) ?? Promise.resolve()).then(run)
      last.set(name, next)
      return next
    },
  }
}

const keys = () => sent.map(({ key }) => key)
const stored = () => ownSentCommands().all()
const lost = (times: number) => Array.from({ length: times }, () => new TypeError('Failed to fetch'))

function start<Name extends CommandName>(name: Name, payload: object, form?: string): Promise<unknown> {
  const confirmation = confirm({ name, payload: payload as never, facts: undefined as never, isShown: () => isShown })
  const options = commandMutation(name, { silent: true, form })
  const mutation = queryClient
    .getMutationCache()
    .build(queryClient, queryClient.defaultMutationOptions(options as never))
  const outcome = mutation.execute(confirmation as never)
  outcome.catch(() => {})
  return outcome
}

/** Confirms a command, and waits through all its attempts. */
async function run(name: CommandName, payload: object = {}): Promise<unknown> {
  const outcome = start(name, payload)
  await vi.advanceTimersByTimeAsync(60_000)
  return outcome
}

/** Confirms a command that no attempt gets a response to. @returns the mutation, which waits for the sheet. */
async function lose(name: CommandName, payload: object = {}): Promise<{ outcome: Promise<unknown> }> {
  responses = lost(4)
  const outcome = start(name, payload)
  await vi.advanceTimersByTimeAsync(60_000)
  return { outcome }
}

test('a command is stored before sending, until its response shows', async () => {
  responses = [OK]
  await expect(run('activeByBalance')).resolves.toEqual({ status: 2 })
  expect(sent).toEqual([
    {
      path: expect.stringContaining('activeByBalance'),
      key: expect.stringMatching(/^[0-9a-f]{32}$/),
      isStored: true,
      isBlocked: true,
    },
  ])
  expect(stored()).toEqual([])
  expect(isReloadBlocked()).toBe(false)
})

test('a response that no screen shows keeps the command stored', async () => {
  isShown = false
  responses = [OK]
  await run('activeByBalance')
  expect(stored()).toMatchObject([{ name: 'activeByBalance', payload: {}, sentAtMs: Date.parse(SERVER_TIME) }])
})

test('retries send the same key', async () => {
  responses = [new TypeError('Failed to fetch'), { code: 50000, msg: 'x', data: null }, OK]
  await expect(run('activeByBalance')).resolves.toEqual({ status: 2 })
  expect(new Set(keys()).size).toBe(1)
  expect(sent).toHaveLength(3)
})

test.each([
  ['ends with a response', [OK], undefined],
  ['stays after a refusal', [REFUSED], { amount: '5' }],
  ['ends where no response came', lost(4), undefined],
] as const)('the kept form of a command %s', async (_name, replies, left) => {
  vi.stubGlobal('sessionStorage', fakeStorage(new Map()))
  const form = { owner: ALICE.toLowerCase(), asked: {} }
  keepForm('pledge', { ...form, fields: { amount: '5' } })
  responses = [...replies]
  isShown = false
  const outcome = start('pledge', { asset: 'USDT', amount: '5' }, 'pledge')
  await vi.advanceTimersByTimeAsync(60_000)
  await outcome.catch(() => {})
  expect(keptFields('pledge', { amount: '' }, form)).toEqual(left)
})

test('a refused command is not stored any more', async () => {
  responses = [REFUSED]
  await expect(run('activeByBalance')).rejects.toMatchObject({ code: 20001 })
  expect([stored(), lostStore.get()]).toEqual([[], []])
})

test('a command that was certainly not carried out is not lost', async () => {
  responses = [BUSY, BUSY, BUSY, BUSY]
  await expect(run('activeByBalance')).rejects.toMatchObject({ code: 42900 })
  expect([stored(), lostStore.get()]).toEqual([[], []])
})

describe('a command without a response', () => {
  test('goes on with the outcome that the sheet finds', async () => {
    const { outcome } = await lose('activeByBalance')
    const [waiting] = lostStore.get()
    expect(waiting?.sent).toMatchObject({ key: keys()[0], name: 'activeByBalance' })
    expect([stored().length, isReloadBlocked()]).toEqual([1, true])
    waiting?.end({ response: { status: 2 } })
    await expect(outcome).resolves.toEqual({ status: 2 })
    expect([stored(), lostStore.get()]).toEqual([[], []])
  })

  test('stays stored where the user goes on without its outcome', async () => {
    const { outcome } = await lose('activeByBalance')
    lostStore.get()[0]?.end(undefined)
    await expect(outcome).rejects.toMatchObject({ name: 'NoResponseError' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect([stored().length, sent.length, lostStore.get()]).toEqual([1, 4, []])
  })

  test('asks nothing where no screen shows it', async () => {
    isShown = false
    const { outcome } = await lose('activeByBalance')
    await expect(outcome).rejects.toMatchObject({ name: 'NoResponseError' })
    expect([stored().length, lostStore.get()]).toEqual([1, []])
  })

  test('keeps its key when the same payload is confirmed again', async () => {
    isShown = false
    await lose('pledge', { asset: 'USDT', amount: '5' })
    responses = [OK, OK]
    await run('pledge', { asset: 'USDT', amount: '6' })
    await run('pledge', { asset: 'USDT', amount: '5' })
    expect(keys().slice(4)).toEqual([expect.not.stringMatching(String(keys()[0])), keys()[0]])
  })

  test('gives the same payload a new key once its outcome is known', async () => {
    isShown = false
    await lose('activeByBalance')
    queryClient.setQueryData(outcomeKey(String(keys()[0])), { found: { state: 'done' }, times: 0 })
    responses = [OK]
    await run('activeByBalance')
    expect(new Set(keys()).size).toBe(2)
  })

  test('is hidden from another account', async () => {
    isShown = false
    await lose('activeByBalance')
    saveSession({ token: 'b', user: { address: BOB } as never })
    expect(stored()).toEqual([])
    responses = [OK]
    await run('activeByBalance')
    expect(keys()[4]).not.toBe(keys()[0])
    expect(sentCommandsOf(ALICE).all()).toHaveLength(1)
  })

  test('is forgotten when the wallet disconnects, and kept when the session expires', async () => {
    isShown = false
    await lose('activeByBalance')
    forgetSession()
    expect(sentCommandsOf(ALICE).all()).toHaveLength(1)
    forgetUntilDisconnect()
    expect(sentCommandsOf(ALICE).all()).toEqual([])
  })
})

test('a harmless command is not stored, and its failure shows', async () => {
  responses = lost(4)
  await expect(run('retrieve', { tx_hash: '0x1' })).rejects.toMatchObject({ name: 'NoResponseError' })
  expect(sent.map(({ isStored }) => isStored)).toEqual([false, false, false, false])
  expect([lostStore.get(), new Set(keys()).size]).toEqual([[], 1])
})

test('a command belongs to the account that signs in for it', async () => {
  forgetSession()
  provideSignIn(async () => {
    saveSession({ token: 'b', user: { address: BOB } as never })
    return true
  })
  isShown = false
  responses = [OK]
  await run('activeByBalance')
  expect([sentCommandsOf(BOB).all().length, sentCommandsOf('').all()]).toEqual([1, []])
})

test('other tabs wait until no page sends the command', async () => {
  responses = [new TypeError('Failed to fetch'), OK]
  const outcome = start('activeByBalance', {})
  await vi.advanceTimersByTimeAsync(500)
  const [key = ''] = sendingStore.get()
  const settled = vi.fn()
  void untilSettled(key).then(settled)
  await vi.advanceTimersByTimeAsync(0)
  expect(settled).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1_000)
  await outcome
  await vi.advanceTimersByTimeAsync(0)
  expect([settled.mock.calls.length, sendingStore.get()]).toEqual([1, []])
})

test.each([
  ['of an unknown name', { name: 'noSuchCommand' }],
  ['of a harmless command', { name: 'retrieve' }],
  ['of a reading call', { name: 'balances' }],
  ['with a malformed key', { key: 'x y' }],
  ['without a payload', { payload: null }],
  ['with a malformed time', { sentAtMs: '1' }],
])('ignores stored content %s', (_what, change) => {
  const value = { key: 'key-0001', name: 'activeByBalance', payload: {}, sentAtMs: 1, ...change }
  const owner = ALICE.toLowerCase()
  kept.set('clearwell.until-disconnect.commands.key-0001', JSON.stringify({ owner, at: 1, value }))
  expect(sentCommandsOf(ALICE).all()).toEqual([])
  kept.set(
    'clearwell.until-disconnect.commands.key-0002',
    JSON.stringify({
      owner,
      at: 1,
      value: { ...value, key: 'key-0002', name: 'activeByBalance', payload: {}, sentAtMs: 1 },
    }),
  )
  expect(sentCommandsOf(ALICE).all()).toHaveLength(1)
})
