import { beforeEach, expect, test } from 'vitest'
import { mayReload } from './page-reload.ts'

const kept = new Map<string, string>()
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
}
beforeEach(() => kept.clear())

test('a missing chunk reloads a path once within 10 s', { tags: ['§9.38'] }, () => {
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

test('a foreign value in the storage does not block a reload', () => {
  kept.set('clearwell.reloaded', 'broken')
  expect(mayReload(storage, '#/a', 0)).toBe(true)
})
