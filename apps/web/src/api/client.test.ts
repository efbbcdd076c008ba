import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** One request as the server would see it. */
interface Seen {
  url: string
  headers: Record<string, string>
  body: string
}

const seen: Seen[] = []
let answers: (object | Error)[] = []

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
  vi.stubGlobal('fetch', async (url: string, { headers, body }: { headers: Record<string, string>; body: unknown }) => {
    seen.push({ url, headers: { ...headers }, body: String(body) })
    const answer = answers.shift()
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error('unexpected request')
    return { json: async () => answer }
  })
  vi.resetModules()
  seen.length = 0
})

afterEach(() => vi.unstubAllGlobals())

const SIGN_IN_AGAIN = { code: 10001, msg: 'Please sign in again', data: null }

test('a call sends its form, its headers and its token', async () => {
  const { call } = await import('./client.ts')
  answers = [{ code: 1, msg: 'ok', data: { amount_out: '1' } }]
  await call('getQuote', { pool_id: 'p', amount: '1', inverse: 0 })
  expect(seen).toEqual([
    {
      url: '/api/SwapPool/getQuote',
      headers: { 'XX-Device-Type': 'web', 'XX-Token': 'old', 'Accept-Language': 'zh-HK' },
      body: 'pool_id=p&amount=1&inverse=0',
    },
  ])
})

test('a code other than 1 becomes an error with the code and the words of the server', async () => {
  const { call } = await import('./client.ts')
  answers = [{ code: 20009, msg: 'Not found', data: null }]
  await expect(call('spotTicker', { symbol: 'X' })).rejects.toMatchObject({ code: 20009, message: 'Not found' })
})

test('a code 10001 signs out, and the same request with the same key is sent once more', async () => {
  const { call } = await import('./client.ts')
  const { provideSignIn } = await import('../account/sign-in-port.ts')
  const { accountStore, saveLogin } = await import('../account/account-store.ts')
  provideSignIn(async () => {
    expect(accountStore.get().token).toBeUndefined()
    saveLogin({ token: 'new', user: {} as never })
    return true
  })
  answers = [SIGN_IN_AGAIN, { code: 1, msg: 'ok', data: { status: 2 } }]
  await expect(call('activeByBalance', {}, { idempotencyKey: 'key-0001' })).resolves.toEqual({ status: 2 })
  expect(seen.map(({ headers }) => [headers['XX-Token'], headers['Idempotency-Key']])).toEqual([
    ['old', 'key-0001'],
    ['new', 'key-0001'],
  ])
})

test('a second 10001 is final', async () => {
  const { call } = await import('./client.ts')
  answers = [SIGN_IN_AGAIN, SIGN_IN_AGAIN]
  await expect(call('balances', {})).rejects.toMatchObject({ code: 10001 })
  expect(seen.map(({ headers }) => headers['XX-Token'])).toEqual(['old', undefined])
})

test('a money call without a key is a bug', async () => {
  const { call } = await import('./client.ts')
  await expect(call('activeByBalance', {})).rejects.toThrow(TypeError)
  expect(seen).toEqual([])
})

test('no envelope is no answer', async () => {
  const { call } = await import('./client.ts')
  answers = [new TypeError('Failed to fetch')]
  await expect(call('pairs', {})).rejects.toMatchObject({ name: 'NoAnswerError' })
  answers = [{ unexpected: true }]
  await expect(call('pairs', {})).rejects.toMatchObject({ name: 'NoAnswerError' })
})
