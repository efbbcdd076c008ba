import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { blockReloadWhile } from '../browser/page-reload.ts'
import { reloadOnMissingChunk, serverAwayStore } from './missing-chunk.ts'

const CHUNK = 'http://127.0.0.1:3000/assets/alert-sheet-CLtk2fKC.js'

let isPart: boolean
vi.mock('@clearwell/ui/components/lazy-part.tsx', () => ({ isLoadingPart: () => isPart }))

let page: EventTarget
let asked: string[]
let reload: ReturnType<typeof vi.fn>
/** Returns the server's status for each path; `undefined` while it is unreachable. */
let statusOf: (url: string) => number | undefined

beforeEach(() => {
  isPart = false
  serverAwayStore.set(false)
  page = new EventTarget()
  asked = []
  reload = vi.fn()
  const kept = new Map<string, string>()
  vi.stubGlobal('window', page)
  vi.stubGlobal('location', { hash: '#/en/swap/exchange', reload })
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    const status = statusOf(url)
    if (status === undefined) throw new TypeError('Failed to fetch')
    return new Response(null, { status })
  })
  reloadOnMissingChunk()
})
afterEach(() => vi.unstubAllGlobals())

async function fail(message = `Failed to fetch dynamically imported module: ${CHUNK}`): Promise<void> {
  page.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: new TypeError(message) }))
  await vi.waitFor(() => expect(asked).not.toEqual([]))
  await new Promise((resolve) => setImmediate(resolve))
}

test('a missing chunk reloads the page once when the server responds', { tags: ['§8.17', '§8.18'] }, async () => {
  statusOf = () => 200
  await fail()
  await fail()
  expect(asked).toEqual(['/', '/'])
  expect(reload).toHaveBeenCalledTimes(1)
  expect(serverAwayStore.get()).toBe(false)
})

test.each([
  ['fails', () => 500],
  ['is away: the browser could only show its own error page', () => undefined],
])('a missing chunk does not reload the page when the server %s', async (_what, status) => {
  statusOf = status
  await fail()
  expect(reload).not.toHaveBeenCalled()
  expect(serverAwayStore.get()).toBe(true)
})

test.each([
  ['is gone with its build', `error loading dynamically imported module: ${CHUNK}`],
  ['did not arrive', `Failed to fetch dynamically imported module: ${CHUNK}`],
  ['is not named by the browser', 'Importing a module script failed.'],
])('a sheet whose code %s reloads the page once', { tags: ['§8.17', '§8.18'] }, async (_what, message) => {
  isPart = true
  statusOf = () => 200
  await fail(message)
  await fail(message)
  expect(reload).toHaveBeenCalledTimes(1)
})

test('a sheet keeps the page while the server is away', async () => {
  isPart = true
  statusOf = () => undefined
  await fail()
  expect(reload).not.toHaveBeenCalled()
  expect(serverAwayStore.get()).toBe(false)
})

test('a reload waits until a payment has ended', { tags: ['§8.17'] }, async () => {
  statusOf = () => 200
  const payment = Promise.withResolvers<void>()
  const paid = blockReloadWhile(payment.promise)
  await fail()
  expect(reload).not.toHaveBeenCalled()
  payment.resolve()
  await paid
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
})
