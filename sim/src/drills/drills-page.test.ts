import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { drillNames, loadDrill } from './drill.ts'
import { clusterPart, drillsPage, readLastRuns, serverPart } from './drills-page.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/reference/drills.md'), 'utf8')

test('the page of drills has a row for each drill', async () => {
  const abouts = new Map<string, string>()
  for (const name of drillNames()) abouts.set(name, (await loadDrill(name)).about)
  expect(drillsPage(abouts, readLastRuns(PAGE))).toBe(serverPart(PAGE))
})

test('a drill that cannot run shows as not run, with its reason', () => {
  const page = drillsPage(new Map([['flood', 'water']]), [{ name: 'flood', notRun: 'no pump' }])
  expect(page).toContain('| flood | water | not run |  |  |  |  |  | no pump |')
  expect(readLastRuns(page)).toEqual([{ name: 'flood', notRun: 'no pump' }])
})

test('the part about the cluster is kept apart', () => {
  const part = '\n## Three machines\n\n| drill | a | b | c | d | e | f | g | h |\n'
  const page = drillsPage(new Map([['flood', 'water']]), []) + part
  expect(clusterPart(page)).toBe(part)
  expect(readLastRuns(page).map(({ name }) => name)).toEqual(['flood'])
})
