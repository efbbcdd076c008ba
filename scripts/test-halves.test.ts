import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { halfOfCommit, halfToRun, leftOut, ofThisHalf } from './test-halves.ts'

const root = join(import.meta.dirname, '..')
const FOLDERS = ['e2e', 'sim']
const long = FOLDERS.flatMap((folder) =>
  (['a', 'b'] as const).flatMap((half) => leftOut(half, folder).map((path) => `${folder}/${path}`)),
)

test('each long test exists, and no row needs it', () => {
  expect(long.length).toBeGreaterThan(20)
  expect(long.filter((path) => !existsSync(join(root, path)))).toEqual([])
  expect(long.filter((path) => readFileSync(join(root, path), 'utf8').includes('§'))).toEqual([])
})

test('each long test runs in one half, and in whole runs', () => {
  expect(new Set(long).size).toBe(long.length)
  expect(FOLDERS.flatMap((folder) => leftOut(undefined, folder))).toEqual([])
})

test('the last digit of a commit selects its half', () => {
  expect(['9ff0', '9ff1', '9ffe', '9fff'].map(halfOfCommit)).toEqual(['a', 'b', 'a', 'b'])
})

test('TEST_HALF is a, b or not set', () => {
  expect(['a', 'b', '', undefined].map((TEST_HALF) => halfToRun({ TEST_HALF }))).toEqual([
    'a',
    'b',
    undefined,
    undefined,
  ])
  expect(() => halfToRun({ TEST_HALF: 'c' })).toThrow('TEST_HALF must be a or b, not "c"')
})

test('the halves of a list are together the whole list', () => {
  const all = [1, 2, 3, 4, 5]
  expect(ofThisHalf(all, { TEST_HALF: 'a' })).toEqual([1, 3, 5])
  expect(ofThisHalf(all, { TEST_HALF: 'b' })).toEqual([2, 4])
  expect(ofThisHalf(all, {})).toEqual(all)
})
