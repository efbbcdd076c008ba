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

test('an icon is kept for an hour, and no longer', { tags: ['§9.43'] }, () => {
  cacheIcons({ coins: '<path/>' }, 0)
  expect(cachedIcon('coins', HOUR_MS - 1)).toBe('<path/>')
  expect(cachedIcon('coins', HOUR_MS)).toBeUndefined()
})

test('an icon from the future, after the clock was set back, is not used', () => {
  cacheIcons({ coins: '<path/>' }, HOUR_MS)
  expect(cachedIcon('coins', 0)).toBeUndefined()
})

test('no more than 50 are kept, and the oldest go first', { tags: ['§9.44'] }, () => {
  for (let i = 0; i < 60; i += 1) cacheIcons({ [`icon-${i}`]: '<path/>' }, i)
  const stored = JSON.parse(kept.get('clearwell.icons') ?? '{}') as object
  expect(Object.keys(stored)).toHaveLength(50)
  expect(cachedIcon('icon-9', 60)).toBeUndefined()
  expect(cachedIcon('icon-10', 60)).toBe('<path/>')
  expect(cachedIcon('icon-59', 60)).toBe('<path/>')
})

test('a name that every object has is not an icon', () => {
  expect(cachedIcon('constructor')).toBeUndefined()
})

test('a storage that is full, forbidden or spoilt costs nothing', () => {
  kept.set('clearwell.icons', '{"coins":')
  expect(cachedIcon('coins')).toBeUndefined()
  kept.set('clearwell.icons', 'null')
  expect(cachedIcon('coins')).toBeUndefined()
  const forbidden = () => {
    throw new DOMException('forbidden', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: forbidden, setItem: forbidden })
  cacheIcons({ coins: '<path/>' })
  expect(cachedIcon('coins')).toBeUndefined()
})
