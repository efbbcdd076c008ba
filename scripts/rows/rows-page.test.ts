import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Breakage } from './breakage.ts'
import { type LastTry, oldestFirst, readTries, rowsPage } from './rows-page.ts'

const breakage = (row: string, about: string): Breakage => ({
  row,
  file: 'apps/server/src/swap.ts',
  edit: { about, find: () => [] },
})
const tried = (row: string, about: string, at: string): LastTry => ({
  row,
  about,
  file: 'apps/server/src/swap.ts',
  noticedBy: 'apps/server/src/swap.test.ts',
  at,
  commit: 'fa88941c',
})

test('a try is read back from the page as it was written', () => {
  const tries = [tried('4.09', 'drops a / b', '2026-11-28 02:40'), tried('4.10', 'true', '2026-11-28 02:41')]
  expect(readTries(rowsPage([breakage('4.09', 'drops a | b'), breakage('4.10', 'true')], tries))).toEqual(tries)
})

test('the page leaves out a breakage that changed', () => {
  const tries = [tried('4.09', 'false', '2026-11-28 02:40'), tried('4.10', 'true', '2026-11-28 02:41')]
  expect(readTries(rowsPage([breakage('4.09', 'true'), breakage('4.10', 'true')], tries))).toEqual(tries.slice(1))
})

test('rows that were never broken come first, then the oldest', () => {
  const breakages = ['1.01', '1.02', '1.03'].map((row) => breakage(row, 'true'))
  const tries = [tried('1.01', 'true', '2026-11-28 02:40'), tried('1.03', 'true', '2026-11-27 02:40')]
  expect(oldestFirst(breakages, tries).map(({ row }) => row)).toEqual(['1.02', '1.03', '1.01'])
})

test('the page in the documentation can be read whole', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/broken-rows.md'), 'utf8')
  expect(readTries(page)).toHaveLength(page.match(/^\| §/gm)?.length ?? 0)
})
