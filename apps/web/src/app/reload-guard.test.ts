import { expect, test } from 'vitest'
import { mayReload } from './reload-guard.ts'

test('a missing chunk reloads a path once within 10 s', () => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  expect(mayReload(storage, '#/a', 0)).toBe(true)
  expect(mayReload(storage, '#/a', 9_999)).toBe(false)
  expect(mayReload(storage, '#/b', 9_999)).toBe(true)
  expect(mayReload(storage, '#/a', 20_001)).toBe(true)
})
