import { messageStore, showError } from '@clearwell/ui/components/toast-store.ts'
import { environmentManager, focusManager, notifyManager, onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ApiError, NoResponseError } from './api-error.ts'
import { ACTIVE_STATUS_POLL_MS, PAIRS_POLL_MS, QUOTE_AFTER_PAIRS_MS, TICKER_POLL_MS } from './polling.ts'
import { CONFIG_KEY, provideFailureDialog, queryClient, refreshUser, showActivation } from './query-client.ts'
import { forgetSession, saveSession, sessionStore } from './session-store.ts'

beforeEach(() => {
  vi.useFakeTimers()
  // Node has no window, and the library would take it for a server, which neither polls nor forgets.
  environmentManager.setIsServer(() => false)
  onlineManager.setOnline(true)
  focusManager.setFocused(true)
  queryClient.mount()
  provideFailureDialog(showError)
  messageStore.set(undefined)
})

afterEach(() => {
  queryClient.unmount()
  queryClient.clear()
  focusManager.setFocused(undefined)
  environmentManager.setIsServer(() => typeof window === 'undefined')
  vi.useRealTimers()
})

test('a failed request is retried after 1, 2 and 4 s', { tags: ['§9.35'] }, async () => {
  const askedAtMs: number[] = []
  const startMs = Date.now()
  const asking = queryClient.fetchQuery({
    queryKey: ['x'],
    queryFn: () => {
      askedAtMs.push(Date.now() - startMs)
      throw new NoResponseError('no answer')
    },
    retry: queryClient.getDefaultOptions().queries?.retry ?? 0,
  })
  const outcome = expect(asking).rejects.toBeInstanceOf(NoResponseError)
  await vi.advanceTimersByTimeAsync(60_000)
  await outcome
  expect(askedAtMs).toEqual([0, 1_000, 3_000, 7_000])
})

test.each([
  [0, 1_000],
  [1, 2_000],
  [2, 4_000],
  [3, 8_000],
  [4, 16_000],
  [5, 30_000],
  [40, 30_000],
])('the pause after %i failures is %i ms', { tags: ['§9.36'] }, (failures, pauseMs) => {
  const { retryDelay } = queryClient.getDefaultOptions().queries ?? {}
  if (typeof retryDelay !== 'function') throw new Error('retryDelay is not a function')
  expect(retryDelay(failures, new Error())).toBe(pauseMs)
})

test('a command refused for its part or terms reloads the configuration', async () => {
  const refused = async (error: Error) => {
    queryClient.setQueryData(CONFIG_KEY, { degraded: [] })
    const options = { mutationFn: () => Promise.reject(error), retry: false } as const
    await expect(queryClient.getMutationCache().build(queryClient, options).execute(undefined)).rejects.toBe(error)
    return queryClient.getQueryState(CONFIG_KEY)?.isInvalidated
  }
  expect(await refused(new ApiError(20001, '餘額不足', {}))).toBe(false)
  expect(await refused(new ApiError(50300, '服務暫未就緒', { part: 'chain' }))).toBe(true)
  expect(await refused(new ApiError(20010, '條款已更新', { reason: 'unknown_terms' }))).toBe(true)
})

test('a refusal is final, a server error is retried', async () => {
  expect(await timesAsked(new ApiError(20001, '餘額不足', null))).toBe(1)
  expect(await timesAsked(new ApiError(10001, '請重新登入', null))).toBe(1)
  expect(await timesAsked(new ApiError(50300, '服務尚未就緒', null))).toBe(4)
  expect(await timesAsked(new ApiError(42900, '請求過於頻密', null))).toBe(4)
})

test('unused data is dropped after five minutes', { tags: ['§9.37'] }, async () => {
  const stop = new QueryObserver(queryClient, { queryKey: ['x'], queryFn: () => 1 }).subscribe(() => {})
  await vi.advanceTimersByTimeAsync(0)
  stop()
  await vi.advanceTimersByTimeAsync(5 * 60_000 - 1)
  expect(queryClient.getQueryData(['x'])).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(queryClient.getQueryData(['x'])).toBeUndefined()
})

test('the poll intervals match the specification', () => {
  expect({ ACTIVE_STATUS_POLL_MS, PAIRS_POLL_MS, QUOTE_AFTER_PAIRS_MS, TICKER_POLL_MS }).toEqual({
    ACTIVE_STATUS_POLL_MS: 4_000,
    PAIRS_POLL_MS: 3_000,
    QUOTE_AFTER_PAIRS_MS: 500,
    TICKER_POLL_MS: 1_500,
  })
})

test.each([ACTIVE_STATUS_POLL_MS, PAIRS_POLL_MS, TICKER_POLL_MS])(
  'a poll of %i ms pauses while the page is hidden',
  async (pollMs) => {
    const ask = vi.fn(() => Date.now())
    const stop = new QueryObserver(queryClient, {
      queryKey: ['polled'],
      queryFn: ask,
      refetchInterval: pollMs,
    }).subscribe(() => {})
    await vi.advanceTimersByTimeAsync(3 * pollMs)
    expect(ask).toHaveBeenCalledTimes(4)
    focusManager.setFocused(false)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(ask).toHaveBeenCalledTimes(4)
    focusManager.setFocused(true)
    await vi.advanceTimersByTimeAsync(0)
    expect(ask).toHaveBeenCalledTimes(5)
    await vi.advanceTimersByTimeAsync(pollMs)
    expect(ask).toHaveBeenCalledTimes(6)
    stop()
  },
)

test('a poll refetches immediately after a page was hidden for a moment', async () => {
  const ask = vi.fn(() => Date.now())
  const stop = new QueryObserver(queryClient, {
    queryKey: ['polled'],
    queryFn: ask,
    refetchInterval: TICKER_POLL_MS,
  }).subscribe(() => {})
  await vi.advanceTimersByTimeAsync(100)
  focusManager.setFocused(false)
  await vi.advanceTimersByTimeAsync(TICKER_POLL_MS)
  expect(ask).toHaveBeenCalledTimes(1)
  focusManager.setFocused(true)
  await vi.advanceTimersByTimeAsync(0)
  expect(ask).toHaveBeenCalledTimes(2)
  stop()
})

test('stale data without a poll is refetched when the page is visible', async () => {
  const ask = vi.fn(() => Date.now())
  const stop = new QueryObserver(queryClient, { queryKey: ['read'], queryFn: ask, staleTime: 10_000 }).subscribe(
    () => {},
  )
  await vi.advanceTimersByTimeAsync(0)
  await hideAndSee(9_000)
  expect(ask).toHaveBeenCalledTimes(1)
  await hideAndSee(2_000)
  expect(ask).toHaveBeenCalledTimes(2)
  stop()
})

describe('a query without data', () => {
  async function poll() {
    const respond = vi.fn<() => Promise<number>>(() => Promise.reject(new NoResponseError('no answer')))
    const observer = new QueryObserver(queryClient, {
      queryKey: ['away'],
      queryFn: respond,
      refetchInterval: PAIRS_POLL_MS,
    })
    const seen: string[] = []
    // As a component follows it: once per batch of changes.
    const look = notifyManager.batchCalls(() => {
      const { status } = observer.getCurrentResult()
      if (seen.at(-1) !== status) seen.push(status)
    })
    const stop = observer.subscribe(look)
    // After several polls, each with three retries.
    await vi.advanceTimersByTimeAsync(58_000)
    return { observer, respond, seen, stop }
  }

  test('keeps its error through polls until a response arrives', async () => {
    const { observer, respond, seen, stop } = await poll()
    expect(seen).toEqual(['pending', 'error'])
    expect(observer.getCurrentResult().error).toBeInstanceOf(NoResponseError)
    respond.mockResolvedValue(1)
    await vi.advanceTimersByTimeAsync(10_000)
    expect([seen, observer.getCurrentResult().error]).toEqual([['pending', 'error', 'success'], null])
    stop()
  })

  test('keeps its error while the user retries', async () => {
    const { observer, stop } = await poll()
    void observer.refetch()
    expect(observer.getCurrentResult()).toMatchObject({ status: 'error', isFetching: true })
    stop()
  })

  test('loads again on a later visit', async () => {
    const { observer, stop } = await poll()
    stop()
    const again = observer.subscribe(() => {})
    expect(observer.getCurrentResult()).toMatchObject({ status: 'pending', isFetching: true })
    again()
  })

  test('loads again after a reset', async () => {
    const { observer, stop } = await poll()
    void queryClient.resetQueries({ queryKey: ['away'] })
    expect(observer.getCurrentResult()).toMatchObject({ status: 'pending', isFetching: true })
    stop()
  })
})

test('a failed query opens no message dialog', async () => {
  const observer = new QueryObserver(queryClient, {
    queryKey: ['read'],
    queryFn: () => Promise.reject(new ApiError(20009, '找不到資料', null)),
  })
  const stop = observer.subscribe(() => {})
  await vi.advanceTimersByTimeAsync(0)
  expect(observer.getCurrentResult().isError).toBe(true)
  expect(messageStore.get()).toBeUndefined()
  stop()
})

test.each([false, true])(
  'shows the message of a rejected command in a dialog (silent: %s)',
  {
    tags: ['§7.24', '§8.01'],
  },
  async (silent) => {
    const refusal = new ApiError(20001, '餘額不足', null)
    await expect(runCommand(refusal, silent)).rejects.toBe(refusal)
    expect(messageStore.get()).toEqual({ text: '餘額不足' })
  },
)

test('a silent command shows a missing response in place, without a dialog', async () => {
  const away = new NoResponseError('no answer')
  const outcome = expect(runCommand(away, true)).rejects.toBe(away)
  await vi.advanceTimersByTimeAsync(60_000)
  await outcome
  expect(messageStore.get()).toBeUndefined()
})

function runCommand(error: Error, silent: boolean): Promise<unknown> {
  return queryClient
    .getMutationCache()
    .build(queryClient, { mutationFn: () => Promise.reject(error), meta: { silent } })
    .execute(undefined)
}

async function hideAndSee(ms: number): Promise<void> {
  focusManager.setFocused(false)
  await vi.advanceTimersByTimeAsync(ms)
  focusManager.setFocused(true)
  await vi.advanceTimersByTimeAsync(0)
}

async function timesAsked(error: Error): Promise<number> {
  const ask = vi.fn(() => Promise.reject(error))
  const stop = new QueryObserver(queryClient, { queryKey: [error.message], queryFn: ask }).subscribe(() => {})
  await vi.advanceTimersByTimeAsync(60_000)
  stop()
  return ask.mock.calls.length
}

test('a late response from before the activation does not undo it', async () => {
  const responses: PromiseWithResolvers<Response>[] = []
  vi.stubGlobal('fetch', () => {
    const response = Promise.withResolvers<Response>()
    responses.push(response)
    return response.promise
  })
  onTestFinished(() => {
    vi.unstubAllGlobals()
    forgetSession()
  })
  const userOf = (activated: boolean) => ({ address: '0x1', activated }) as never
  const respond = (activated: boolean) => Response.json({ code: 1, msg: 'ok', data: userOf(activated) })
  saveSession({ token: 'token', user: userOf(false) })
  const before = refreshUser()
  const after = showActivation()
  responses[1]?.resolve(respond(true))
  await after
  responses[0]?.resolve(respond(false))
  await before
  expect(sessionStore.get().user).toEqual({ address: '0x1', activated: true })
})
