import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'

/** One request as the server would see it. */
interface Seen {
  method: string
  url: string
  headers: Record<string, string>
  body: unknown
}

const seen: Seen[] = []
/** The server's responses in turn: an envelope, a whole response, or a failure of the network. */
let responses: (object | Response | Error)[] = []

beforeEach(() => {
  const kept = new Map([
    ['clearwell.token', 'old'],
    ['clearwell.user', '{"address":"0x1"}'],
  ])
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  vi.stubGlobal(
    'fetch',
    async (
      url: string,
      { method, headers, body }: RequestInit & { method: string; headers: Record<string, string> },
    ) => {
      seen.push({ method, url, headers: { ...headers }, body: body instanceof URLSearchParams ? String(body) : body })
      const response = responses.shift()
      if (response === undefined || response instanceof Error) throw response ?? new Error('unexpected request')
      return response instanceof Response ? response : Response.json(response)
    },
  )
  vi.resetModules()
  seen.length = 0
})

afterEach(() => vi.unstubAllGlobals())

const SIGN_IN_AGAIN = { code: 10001, msg: 'Please sign in again', data: null }

test('a call sends its form, its headers and its token', { tags: ['§6.02', '§7.02', '§7.03'] }, async () => {
  const { call } = await import('./client.ts')
  responses = [{ code: 1, msg: 'ok', data: { amount_out: '1' } }]
  await call('getQuote', { pool_id: 'p', amount: '1', inverse: 0 })
  expect(seen).toEqual([
    {
      method: 'POST',
      url: '/api/SwapPool/getQuote',
      headers: { 'XX-Device-Type': 'web', 'XX-Token': 'old', 'Accept-Language': 'zh-HK' },
      body: 'pool_id=p&amount=1&inverse=0',
    },
  ])
})

test('a GET sends its payload in the query, without a body', { tags: ['§7.06'] }, async () => {
  const { download } = await import('./download.ts')
  responses = [new Response('', { headers: { 'content-disposition': 'attachment' } })]
  await download('logsCsv', { asset: 'USDT' })
  expect(seen).toMatchObject([{ method: 'GET', url: '/api/Wallet/logs.csv?asset=USDT', body: null }])
})

test('a code other than 1 becomes an error with the server’s text', async () => {
  const { call } = await import('./client.ts')
  responses = [{ code: 20009, msg: 'Not found', data: null }]
  await expect(call('spotTicker', { symbol: 'X' })).rejects.toMatchObject({ code: 20009, message: 'Not found' })
})

test('code 10001 signs out and repeats the request once, same key', { tags: ['§4.06', '§4.07', '§8.02'] }, async () => {
  const { call } = await import('./client.ts')
  const { provideSignIn } = await import('./session-store.ts')
  const { sessionStore, saveSession } = await import('./session-store.ts')
  provideSignIn(async () => {
    expect(sessionStore.get().token).toBeUndefined()
    saveSession({ token: 'new', user: { address: '0x1' } as never })
    return true
  })
  responses = [SIGN_IN_AGAIN, { code: 1, msg: 'ok', data: { status: 2 } }]
  await expect(call('activeByBalance', {}, { idempotencyKey: 'key-0001' })).resolves.toEqual({ status: 2 })
  expect(seen.map(({ headers }) => [headers['XX-Token'], headers['Idempotency-Key']])).toEqual([
    ['old', 'key-0001'],
    ['new', 'key-0001'],
  ])
})

test('a private call signs in first and sends the new token', { tags: ['§6.01'] }, async () => {
  const { call } = await import('./client.ts')
  const { forgetSession, provideSignIn, saveSession } = await import('./session-store.ts')
  forgetSession()
  provideSignIn(async () => {
    expect(seen).toEqual([])
    saveSession({ token: 'new', user: { address: '0x1' } as never })
    return true
  })
  responses = [
    { code: 1, msg: 'ok', data: [] },
    { code: 1, msg: 'ok', data: { status: 2 } },
  ]
  await call('balances', {})
  await call('activeByBalance', {}, { idempotencyKey: 'key-0001' })
  expect(seen.map(({ headers }) => headers['XX-Token'])).toEqual(['new', 'new'])
})

test('sends nothing when the user closes the sign-in', { tags: ['§6.01', '§5.04'] }, async () => {
  const { call } = await import('./client.ts')
  const { forgetSession } = await import('./session-store.ts')
  forgetSession()
  await expect(call('balances', {})).rejects.toMatchObject({ code: 10001, message: '請先連接 Web3 錢包' })
  expect(seen).toEqual([])
})

test('a public call asks for no sign-in', { tags: ['§6.01'] }, async () => {
  const { call } = await import('./client.ts')
  const { forgetSession, provideSignIn } = await import('./session-store.ts')
  forgetSession()
  const signIn = vi.fn(async () => true)
  provideSignIn(signIn)
  responses = [{ code: 1, msg: 'ok', data: [] }]
  await call('pairs', {})
  expect(signIn).not.toHaveBeenCalled()
})

test.each([
  ['/api', undefined],
  ['/dapp/api', '/dapp/api'],
  ['https://api.example/v1', 'https://api.example/v1/'],
])('calls go to %s where the API base is %s', { tags: ['§7.01'] }, async (base, configured) => {
  if (configured !== undefined) vi.stubEnv('VITE_API_BASE', configured)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const { call } = await import('./client.ts')
  responses = [
    { code: 1, msg: 'ok', data: [] },
    { code: 1, msg: 'ok', data: {} },
  ]
  await call('pairs', {})
  await call('userinfo', {})
  expect(seen.map(({ url }) => url)).toEqual([`${base}/SwapPool/pairs`, `${base}/profile/userinfo`])
})

test('a money call is not repeated for another account', async () => {
  const { call } = await import('./client.ts')
  const { provideSignIn } = await import('./session-store.ts')
  const { saveSession } = await import('./session-store.ts')
  provideSignIn(async () => {
    saveSession({ token: 'of another', user: { address: '0x2' } as never })
    return true
  })
  responses = [SIGN_IN_AGAIN]
  await expect(call('activeByBalance', {}, { idempotencyKey: 'key-0001' })).rejects.toMatchObject({ code: 10001 })
  expect(seen).toHaveLength(1)
})

test('a read with 10001 signs out and is repeated without a sign-in', async () => {
  const { call } = await import('./client.ts')
  const { provideSignIn } = await import('./session-store.ts')
  const { sessionStore } = await import('./session-store.ts')
  const signIn = vi.fn(async () => true)
  provideSignIn(signIn)
  responses = [SIGN_IN_AGAIN, { code: 1, msg: 'ok', data: [] }]
  await expect(call('pairs', {})).resolves.toEqual([])
  expect(sessionStore.get().token).toBeUndefined()
  expect(localStorage.getItem('clearwell.token')).toBeNull()
  expect(localStorage.getItem('clearwell.user')).toBeNull()
  expect(seen.map(({ url, headers }) => [url, headers['XX-Token']])).toEqual([
    ['/api/SwapPool/pairs', 'old'],
    ['/api/SwapPool/pairs', undefined],
  ])
  expect(signIn).not.toHaveBeenCalled()
})

test('concurrent calls with 10001 sign out once', async () => {
  const { call } = await import('./client.ts')
  const { sessionStore } = await import('./session-store.ts')
  const signedOut = vi.fn()
  sessionStore.subscribe(signedOut)
  responses = [
    SIGN_IN_AGAIN,
    SIGN_IN_AGAIN,
    SIGN_IN_AGAIN,
    ...Array.from({ length: 3 }, () => ({ code: 1, msg: 'ok', data: [] })),
  ]
  await Promise.all([call('pairs', {}), call('pairs', {}), call('pairs', {})])
  expect(signedOut).toHaveBeenCalledOnce()
  expect(seen).toHaveLength(6)
})

test('a 10001 for an older token does not end a newer session', async () => {
  const { call } = await import('./client.ts')
  const { sessionStore, saveSession } = await import('./session-store.ts')
  responses = [SIGN_IN_AGAIN, { code: 1, msg: 'ok', data: [] }]
  const pairs = call('pairs', {})
  saveSession({ token: 'new', user: { address: '0x1' } as never })
  await pairs
  expect(sessionStore.get().token).toBe('new')
  expect(seen.map(({ headers }) => headers['XX-Token'])).toEqual(['old', 'new'])
})

test('a second 10001 is final', async () => {
  const { call } = await import('./client.ts')
  responses = [SIGN_IN_AGAIN, SIGN_IN_AGAIN]
  await expect(call('balances', {})).rejects.toMatchObject({ code: 10001 })
  expect(seen.map(({ headers }) => headers['XX-Token'])).toEqual(['old', undefined])
})

test('a money call without a key is a bug', async () => {
  const { call } = await import('./client.ts')
  await expect(call('activeByBalance', {})).rejects.toThrow(TypeError)
  expect(seen).toEqual([])
})

test('a call requests the language of the interface', async () => {
  const { showLocale } = await import('@clearwell/ui/i18n/locale.ts')
  const { call } = await import('./client.ts')
  onTestFinished(() => showLocale('zh-HK'))
  showLocale('en')
  responses = [{ code: 1, msg: 'ok', data: [] }]
  await call('pairs', {})
  expect(seen[0]?.headers['Accept-Language']).toBe('en')
})

test('sends form data unchanged, without a content type', { tags: ['§7.05'] }, async () => {
  const { call } = await import('./client.ts')
  const form = new FormData()
  form.append('file', new Blob(['x']), 'x.txt')
  responses = [{ code: 1, msg: 'ok', data: [] }]
  await call('pairs', form)
  expect(seen[0]?.body).toBe(form)
  expect(Object.keys(seen[0]?.headers ?? {})).not.toContain('Content-Type')
})

test('a failed network is an error without a body', async () => {
  const { call } = await import('./client.ts')
  responses = [new TypeError('Failed to fetch')]
  await expect(call('pairs', {})).rejects.toMatchObject({ name: 'NoResponseError', body: null })
})

test.each([
  [Response.json({ unexpected: true }), { unexpected: true }],
  [new Response('<h1>Bad Gateway</h1>', { status: 502 }), '<h1>Bad Gateway</h1>'],
  [new Response('', { status: 504 }), null],
  [new Response('null', { status: 500 }), null],
])(
  'a response without an envelope rejects with its body or null',
  { tags: ['§7.26', '§7.27'] },
  async (response, body) => {
    const { call } = await import('./client.ts')
    responses = [response]
    await expect(call('pairs', {})).rejects.toMatchObject({ name: 'NoResponseError', body })
  },
)

test('the client reads an envelope with any HTTP status', async () => {
  const { call } = await import('./client.ts')
  responses = [Response.json({ code: 20000, msg: 'Invalid input', data: null }, { status: 400 })]
  await expect(call('pairs', {})).rejects.toMatchObject({ name: 'ApiError', code: 20000, message: 'Invalid input' })
})

test('an aborted call reports the abort, not a missing response', async () => {
  const { call } = await import('./client.ts')
  const giveUp = new AbortController()
  responses = [new DOMException('aborted', 'AbortError')]
  giveUp.abort()
  await expect(call('pairs', {}, { signal: giveUp.signal })).rejects.toMatchObject({ name: 'AbortError' })
})

describe('a download', () => {
  const file = (disposition: string, status = 200) =>
    new Response('a,b\n', { status, headers: { 'content-disposition': disposition, 'content-type': 'text/csv' } })

  test.each([
    ['attachment; filename="logs.csv"', 'logs.csv'],
    ['attachment; filename=logs.csv; size=4', 'logs.csv'],
    [`attachment; filename="logs.csv"; filename*=UTF-8''%E6%98%8E%E7%B4%B0.csv`, '明細.csv'],
    [`attachment; filename="logs.csv"; filename*=UTF-8''%E6%9`, 'logs.csv'],
    ['attachment; filename="../../logs.csv"', 'logs.csv'],
    ['attachment', undefined],
  ])('a download returns the response unchanged: %s', { tags: ['§7.25'] }, async (disposition, fileName) => {
    const { download } = await import('./download.ts')
    const response = file(disposition)
    responses = [response]
    const downloaded = await download('pairs', {})
    expect(downloaded.response).toBe(response)
    expect(downloaded.fileName).toBe(fileName)
    await expect(downloaded.response.text()).resolves.toBe('a,b\n')
  })

  test('a refused download throws the refusal', async () => {
    const { download } = await import('./download.ts')
    responses = [{ code: 20009, msg: 'Not found', data: null }]
    await expect(download('pairs', {})).rejects.toMatchObject({ name: 'ApiError', code: 20009 })
  })

  test('a download with another status than 200 fails with its body', { tags: ['§7.26'] }, async () => {
    const { download } = await import('./download.ts')
    responses = [file('attachment; filename="logs.csv"', 500)]
    await expect(download('pairs', {})).rejects.toMatchObject({ name: 'NoResponseError', body: 'a,b\n' })
  })

  test('a download times out only before it starts', async () => {
    vi.useFakeTimers()
    const signals: AbortSignal[] = []
    vi.stubGlobal('fetch', async (_url: string, { signal }: { signal: AbortSignal }) => {
      signals.push(signal)
      if (signals.length === 1) return file('attachment; filename="logs.csv"')
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    })
    try {
      const { download } = await import('./download.ts')
      await download('pairs', {})
      const stuck = expect(download('pairs', {})).rejects.toMatchObject({ name: 'NoResponseError' })
      await vi.advanceTimersByTimeAsync(60_000)
      await stuck
      expect(signals.map(({ aborted }) => aborted)).toEqual([false, true])
    } finally {
      vi.useRealTimers()
    }
  })

  test('a file is no response to a call that expects data', async () => {
    const { call } = await import('./client.ts')
    responses = [file('attachment')]
    await expect(call('pairs', {})).rejects.toMatchObject({ name: 'NoResponseError' })
  })
})
