import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inOrder, type LastRun, nightlyPage, readNightly } from './nightly-page.ts'
import { PARTS } from './nightly-parts.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../docs/reference/nightly.md'), 'utf8')
const run = (name: string, result: LastRun['result'], at: string): LastRun => ({
  name,
  result,
  at,
  commit: 'fa88941c',
  minutes: '3.0',
  note: '5 tests passed',
})

test('the page of the night has a row for each part', () => {
  const abouts = new Map(Object.entries(PARTS).map(([name, { about }]) => [name, about]))
  expect(nightlyPage(abouts, readNightly(PAGE))).toBe(PAGE)
})

test('a run is read back from the page as it was written', () => {
  const runs = [run('kills', 'passed', '2026-11-28 02:40'), run('vault', 'failed', '2026-11-28 03:00')]
  const page = nightlyPage(
    new Map([
      ['kills', 'a'],
      ['vault', 'b'],
      ['rows', 'c'],
    ]),
    runs,
  )
  expect(page).toContain('| rows | c | not run |  |  |  | never |')
  expect(readNightly(page).slice(0, 2)).toEqual(runs)
})

test('the next run continues with the parts that have waited longest', () => {
  const runs = [
    run('kills', 'passed', '2026-11-28 02:40'),
    run('vault', 'failed', '2026-11-27 03:00'),
    run('rows', 'not run', '2026-11-28 04:00'),
  ]
  expect(inOrder(['kills', 'vault', 'rows', 'new'], runs)).toEqual(['rows', 'new', 'vault', 'kills'])
})
