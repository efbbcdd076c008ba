import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { keepFigures, showKeptFigures } from './kept-figures.ts'
import { FIGURES_CACHE } from './query-client.ts'
import { forgetSession, saveSession, type User } from './session-store.ts'

const ALICE = { address: '0xAAAA000000000000000000000000000000000001' } as User
const BOB = { address: '0xBBBB000000000000000000000000000000000002' } as User
const NOON = Date.parse('2026-11-28T12:00:00Z')

let records: Map<string, Response>
let build: string
beforeEach(() => {
  records = new Map()
  build = 'a'
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} })
  vi.stubGlobal('document', { querySelector: () => ({ content: build }) })
  vi.stubGlobal('caches', {
    open: async () => ({ put: async (path: string, response: Response) => records.set(path, response) }),
    match: async (path: string) => records.get(path)?.clone(),
    delete: async (name: string) => name === FIGURES_CACHE && records.clear(),
  })
  saveSession({ token: 'alice', user: ALICE })
})

function useOtherBuild(): void {
  build = 'b'
}

function clientWith(name: string, data: unknown, updatedAt = NOON): QueryClient {
  const client = new QueryClient()
  client.setQueryData([name, {}], data, { updatedAt })
  return client
}

async function shown(): Promise<QueryClient> {
  const client = new QueryClient()
  await showKeptFigures(client)
  return client
}

test('a later page shows the kept figures with their time', async () => {
  await keepFigures(clientWith('balances', [{ asset: 'USDT', balance: '410' }]))
  const state = (await shown()).getQueryState(['balances', {}])
  expect([state?.data, state?.dataUpdatedAt]).toEqual([[{ asset: 'USDT', balance: '410' }], NOON])
})

test('figures of earlier screens are kept beside newer ones', async () => {
  await keepFigures(clientWith('balances', 'old'))
  await keepFigures(clientWith('pairs', 'prices', NOON + 1))
  await keepFigures(clientWith('balances', 'new', NOON + 2))
  const client = await shown()
  expect([client.getQueryData(['balances', {}]), client.getQueryData(['pairs', {}])]).toEqual(['new', 'prices'])
})

test('newer figures stay in the place of kept ones', async () => {
  await keepFigures(clientWith('balances', 'old'))
  const client = clientWith('balances', 'new', NOON + 1)
  await showKeptFigures(client)
  expect(client.getQueryData(['balances', {}])).toBe('new')
})

test.each([
  ['another user', () => saveSession({ token: 'bob', user: BOB })],
  ['a visitor', () => forgetSession()],
  ['a page of another build', useOtherBuild],
])('%s does not see the kept figures', async (_who, change) => {
  await keepFigures(clientWith('balances', 'mine'))
  change()
  expect((await shown()).getQueryData(['balances', {}])).toBeUndefined()
})

test('nothing is kept for a user who signs out meanwhile', async () => {
  const keeping = keepFigures(clientWith('balances', 'mine'))
  forgetSession()
  await keeping
  expect(records.size).toBe(0)
})

test.each([
  ['data that is no response of a call', 'pushState', 'on'],
  ['a list that is too long', 'balances', 'x'.repeat(60_001)],
])('%s is not kept', async (_what, name, data) => {
  await keepFigures(clientWith(name, data))
  expect((await shown()).getQueryCache().getAll()).toEqual([])
})
