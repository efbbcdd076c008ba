import { text } from 'node:stream/consumers'
import { fakeStorage } from '@clearwell/ui/browser/testing/fake-storage.ts'
import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { prerenderToNodeStream } from 'react-dom/static'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '../api/query-client.ts'
import { markSending, type SentCommand, sentCommandsOf } from '../api/sent-commands.ts'
import { sessionStore } from '../api/session-store.ts'
import { outcomeKey } from '../api/use-command.ts'
import { loadFeatureCommands } from '../features.ts'
import { textOf } from '../testing/facts.ts'
import { walletStore } from '../wallet/wallet-store.ts'
import { LostCommands } from './lost-commands.tsx'

const ALICE = '0xaaaa000000000000000000000000000000000001'
const BOB = '0xbbbb000000000000000000000000000000000002'
const TIME = '2030-01-01T00:00:00.000Z'

const LOAN: SentCommand<'lend'> = {
  key: 'key-0001',
  name: 'lend',
  payload: {
    borrow_asset: 'USDT',
    borrow_amount: '20',
    collateral_asset: 'BNB',
    collateral_amount: '0.1',
    term_days: 7,
  },
  facts: undefined,
  sentAtMs: Date.parse(TIME) - 1_000,
}

const words = await loadFeatureCommands()

beforeEach(() => {
  vi.stubGlobal('localStorage', fakeStorage(new Map()))
  // Without locks a page asks no other tab.
  vi.stubGlobal('navigator', {})
  signIn(ALICE)
  sentCommandsOf(ALICE).put(LOAN.key, LOAN as unknown as SentCommand)
})

afterEach(() => {
  queryClient.clear()
  sessionStore.set({ token: undefined, user: undefined })
  walletStore.set({ status: 'disconnected' })
  showLocale('zh-HK')
  vi.unstubAllGlobals()
})

function signIn(address: string): void {
  sessionStore.set({ token: 'token', user: { address } as never })
  walletStore.set({ status: 'connected', address: address as `0x${string}` })
}

async function render(locale: 'en' | 'zh-HK' = 'en'): Promise<string> {
  showLocale(locale)
  const { prelude } = await prerenderToNodeStream(
    <QueryClientProvider client={queryClient}>
      <LostCommands words={words} />
    </QueryClientProvider>,
  )
  return (await text(prelude)).replaceAll('<!-- -->', '')
}

const EMPTY = { code: null, msg: null, data: null, expires_at: null, retention_days: 30, time: TIME }
const UNKNOWN = { ...EMPTY, state: 'unknown' }
const DONE = { ...EMPTY, state: 'done', code: 1, msg: 'ok' }

test.each([
  ['en', undefined, 0, 'Borrow 20 USDT against 0.1 BNB', 'Checking whether it went through…'],
  ['zh-HK', undefined, 0, '以 0.1 BNB 作抵押，借入 20 USDT', '正在查詢是否已完成…'],
  ['en', DONE, 0, 'Borrow 20 USDT against 0.1 BNB', 'It went through.'],
  ['zh-HK', DONE, 0, '以 0.1 BNB 作抵押，借入 20 USDT', '已完成。'],
  ['en', { ...DONE, code: 20004 }, 0, 'Borrow 20 USDT against 0.1 BNB', 'It didn’t go through. No funds moved.'],
  ['en', UNKNOWN, 3, 'Borrow 20 USDT against 0.1 BNB', 'It hasn’t reached us, so nothing was done.'],
  ['zh-HK', UNKNOWN, 3, '以 0.1 BNB 作抵押，借入 20 USDT', '我們未收到這項要求，沒有執行。'],
  [
    'en',
    { ...UNKNOWN, time: '2030-03-01T00:00:00.000Z' },
    1,
    'Borrow 20 USDT against 0.1 BNB',
    'We can’t tell any more whether it went through.',
  ],
] as const)('a note in %s shows %o after %i misses', async (locale, found, times, asked, state) => {
  if (found) queryClient.setQueryData(outcomeKey(LOAN.key), { found, times })
  const html = await render(locale)
  const details = locale === 'en' ? 'Details' : '詳情'
  expect(textOf(html)).toBe(`${asked} ${state} ${details}`)
})

test('a command is hidden from another wallet', async () => {
  signIn(BOB)
  expect(await render()).toBe('')
})

test('a command that this page is sending has no note', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  markSending(LOAN.key, promise)
  expect(await render()).toBe('')
  resolve()
  await promise
  expect(textOf(await render())).toMatch(/^Borrow 20 USDT against 0\.1 BNB Checking whether it went through…/)
})

test('an expired session is asked to sign in, and keeps the command', async () => {
  sessionStore.set({ token: undefined, user: undefined })
  expect(textOf(await render())).toMatch(
    /^Borrow 20 USDT against 0\.1 BNB Sign in again to see whether it went through\./,
  )
})
