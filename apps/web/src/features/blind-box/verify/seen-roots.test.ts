import { expect, test } from 'vitest'
import { sealedDay } from '../sealed-day.ts'
import { noteRoots, noteSealedDay, seenRoot } from './seen-roots.ts'

const NOW = new Date('2030-01-02T16:00:05.000Z')

function published(...days: string[]) {
  const rootOf = (day: string) => ({ day, boxes_root: `root of ${day}`, root_at: NOW.toISOString() })
  return { time: NOW.toISOString(), roots: days.map((day) => ({ ...rootOf(day), block_not_before: null })) }
}

test('a sealed box waits until the root of its day is noted', () => {
  noteSealedDay('2030-01-02')
  noteRoots(published('2030-01-01'), NOW)
  expect(sealedDay.get()).toBe('2030-01-02')
  noteRoots(published('2030-01-02', '2030-01-01'), NOW)
  expect([sealedDay.get(), seenRoot('2030-01-02')]).toEqual([
    undefined,
    { root: 'root of 2030-01-02', seenAt: NOW.toISOString() },
  ])
  // A screen that still shows the sealed box.
  noteSealedDay('2030-01-02')
  expect(sealedDay.get()).toBeUndefined()
})

test('a day without a root waits until a later root', () => {
  noteSealedDay('2030-02-01')
  noteRoots(published('2030-02-02'), NOW)
  expect([sealedDay.get(), seenRoot('2030-02-01')]).toEqual([undefined, undefined])
})
