import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cachedIcon, cacheIcons } from './icon-cache.ts'

const HOUR_MS = 60 * 60_000

let kept: Map<string, string>

beforeEach(() => {
  kept = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
})

afterEach(() => vi.unstubAllGlobals())

test('an icon is cached for exactly an hour', { tags: ['§9.43'] }, () => {
  cacheIcons({ coins: '<path/>' }, 0)
  expect(cachedIcon('coins', HOUR_MS - 1)).toBe('<path/>')
  expect(cachedIcon('coins', HOUR_MS)).toBeUndefined()
})

test('a cached icon from the future is not used', () => {
  cacheIcons({ coins: '<path/>' }, HOUR_MS)
  expect(cachedIcon('coins', 0)).toBeUndefined()
})

test('the cache keeps the newest 50 icons', { tags: ['§9.44'] }, () => {
  for (let i = 0; i < 60; i += 1) cacheIcons({ [`icon-${i}`]: '<path/>' }, i)
  const stored = JSON.parse(kept.get('clearwell.icons') ?? '{}') as object
  expect(Object.keys(stored)).toHaveLength(50)
  expect(cachedIcon('icon-9', 60)).toBeUndefined()
  expect(cachedIcon('icon-10', 60)).toBe('<path/>')
  expect(cachedIcon('icon-59', 60)).toBe('<path/>')
})

test('a property name of every object is not an icon', () => {
  expect(cachedIcon('constructor')).toBeUndefined()
})

test('a full, forbidden or corrupt storage does not break icons', () => {
  kept.set('clearwell.icons', '{"coins":')
  expect(cachedIcon('coins')).toBeUndefined()
  kept.set('clearwell.icons', 'null')
  expect(cachedIcon('coins')).toBeUndefined()
  const forbidden = () => {
    throw new DOMException('forbidden', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: forbidden, setItem: forbidden })
  cacheIcons({ coins: '<path/>' })
  // As long as the page.
  expect(cachedIcon('coins')).toBe('<path/>')
})
