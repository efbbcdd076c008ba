import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Acknowledged } from '@clearwell/sim/src/drills/command-load.ts'
import { clusterPart } from '@clearwell/sim/src/drills/drills-page.ts'
import { expect, test } from 'vitest'
import { clusterDrillNames, loadClusterDrill } from './cluster-drill.ts'
import { clusterPage, readLastClusterRuns } from './cluster-page.ts'
import { commandOf, compareCounts, compareIds } from './feature-load.ts'

const PART = clusterPart(readFileSync(join(import.meta.dirname, '../../../docs/reference/drills.md'), 'utf8'))

test('the page has a row for each drill of the cluster', async () => {
  const abouts = new Map<string, string>()
  for (const name of clusterDrillNames()) abouts.set(name, (await loadClusterDrill(name)).about)
  expect(clusterPage(abouts, readLastClusterRuns(PART))).toBe(PART)
  // The first drill loads the whole server.
}, 180_000)

test('a run is read back from the page as it was', () => {
  const counts = { acknowledged: 9, lost: 0, doubled: 0, secondsToRecovery: 21.5 }
  const run = { name: 'flood', date: '2026-11-28', commit: '01234567', ...counts, reads: '7 of 9', notes: 'wet' }
  const page = clusterPage(new Map([['flood', 'water']]), [run])
  expect(page).toContain('| flood | water | 2026-11-28 | 01234567 | 9 | 0 | 0 | 21.5 | 7 of 9 | wet |')
  expect(readLastClusterRuns(page)).toEqual([run])
})

test('lost and doubled commands are counted by their ids', () => {
  expect(compareIds(['a', 'b', 'c'], ['a', 'b', 'c'])).toEqual({ lost: 0, doubled: 0 })
  expect(compareIds(['a', 'b', 'c'], ['a'])).toEqual({ lost: 2, doubled: 0 })
  expect(compareIds(['a'], ['a', 'b', 'c'])).toEqual({ lost: 0, doubled: 2 })
  expect(compareIds(['a', 'a'], ['a'])).toEqual({ lost: 0, doubled: 1 })
})

test('lost and doubled commands without ids are counted by their number', () => {
  expect(compareCounts(5, 5)).toEqual({ lost: 0, doubled: 0 })
  expect(compareCounts(5, 3)).toEqual({ lost: 2, doubled: 0 })
  expect(compareCounts(5, 6)).toEqual({ lost: 0, doubled: 1 })
})

test('a long drill stays below the limits of an account', () => {
  const own: Acknowledged[] = []
  for (let turn = 0; turn < 3_000; turn++) {
    const { kind, payload } = commandOf(0, turn, own)
    const data = kind === 'create_plan' ? { plan_id: `plan ${turn}` } : { alert_id: `alert ${turn}` }
    expect(Object.values(payload)).not.toContain(undefined)
    own.push({ kind, data })
  }
  const countOf = (kind: string) => own.filter((each) => each.kind === kind).length
  expect(countOf('set_alert')).toBe(50)
  expect(countOf('cancel_alert')).toBe(50)
  expect(countOf('create_plan')).toBe(250)
})
