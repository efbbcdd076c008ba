import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reloadOnMissingChunk, serverAwayStore } from './missing-chunk.ts'
import { mayReload } from './reload-guard.ts'

const kept = new Map<string, string>()
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
}
beforeEach(() => kept.clear())
afterEach(() => vi.unstubAllGlobals())

test('a missing chunk reloads a path once within 10 s', () => {
  expect(mayReload(storage, '#/a', 0)).toBe(true)
  expect(mayReload(storage, '#/a', 9_999)).toBe(false)
  expect(mayReload(storage, '#/a', 10_000)).toBe(true)
})

test('each path has its own 10 s', () => {
  expect(mayReload(storage, '#/a', 0)).toBe(true)
  expect(mayReload(storage, '#/b', 1)).toBe(true)
  expect(mayReload(storage, '#/a', 2)).toBe(false)
  expect(mayReload(storage, '#/b', 3)).toBe(false)
})

test('what was stored by something else is no obstacle', () => {
  kept.set('clearwell.reloaded', 'broken')
  expect(mayReload(storage, '#/a', 0)).toBe(true)
})

test.each([
  ['the server answers: a newer build is there', async () => ({ ok: true }), 1, false],
  ['the server fails', async () => ({ ok: false }), 0, true],
  [
    'the server is away: the browser could only show its own error page',
    () => Promise.reject(new Error('away')),
    0,
    true,
  ],
])('where a chunk is missing and %s', async (_case, fetch, reloads, isAway) => {
  const reload = vi.fn()
  const listeners: ((event: unknown) => void)[] = []
  vi.stubGlobal('window', {
    addEventListener: (_: string, listener: (event: unknown) => void) => listeners.push(listener),
  })
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('sessionStorage', storage)
  vi.stubGlobal('location', { hash: '#/a', reload })
  vi.stubGlobal('fetch', fetch)
  reloadOnMissingChunk()
  for (const listener of listeners) listener({ payload: new Error('Failed to fetch') })
  await new Promise((resolve) => setTimeout(resolve))
  expect(reload).toHaveBeenCalledTimes(reloads)
  expect(serverAwayStore.get()).toBe(isAway)
})
