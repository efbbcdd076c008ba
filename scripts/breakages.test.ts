import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BREAKAGES } from './breakages.ts'

const root = join(import.meta.dirname, '..')

test.each(BREAKAGES)('the breakage of §$row still fits $file', ({ file, find, replace }) => {
  expect(readFileSync(join(root, file), 'utf8').split(find)).toHaveLength(2)
  expect(replace).not.toBe(find)
})

test('at least 60 rows can be broken, in every section', () => {
  const rows = new Set(BREAKAGES.map(({ row }) => row))
  expect(rows.size).toBe(BREAKAGES.length)
  expect(rows.size).toBeGreaterThanOrEqual(60)
  expect(new Set([...rows].map((row) => row[0]))).toEqual(new Set('123456789'))
})
