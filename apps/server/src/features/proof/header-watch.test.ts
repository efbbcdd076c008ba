import { expect, test } from 'vitest'
import { createHeaderWatch } from './header-watch.ts'

const MADE = new Date('2026-11-28T09:00:00Z')
const MINUTE_MS = 60_000

function watchOf(madeAt: Date | null) {
  const alarms: string[] = []
  const clock = { at: MADE, now: () => clock.at }
  const db = { query: async () => [{ made_at: madeAt }] } as never
  const watch = createHeaderWatch(db, clock, (error) => void alarms.push((error as Error).message))
  const after = async (minutes: number, isLeader = true) => {
    clock.at = new Date(MADE.getTime() + minutes * MINUTE_MS)
    await watch.check(isLeader)
    return watch
  }
  return { alarms, after }
}

test('raises the alarm from 90 minutes on, once a minute', async () => {
  const { alarms, after } = watchOf(MADE)
  for (const minutes of [1, 89.9]) await after(minutes)
  await after(95, false)
  expect(alarms).toEqual([])
  for (const minutes of [90, 90.9, 91, 121]) await after(minutes)
  expect(alarms).toEqual([
    'no header was signed for 90 minutes: trading stops after 120',
    'no header was signed for 91 minutes: trading stops after 120',
    'no header was signed for 121 minutes: trading is stopped',
  ])
})

test('is recent until two hours, and counts nothing without a header', async () => {
  const { after } = watchOf(MADE)
  expect((await after(120)).isRecent()).toBe(true)
  const late = await after(120.1)
  expect([late.isRecent(), late.ageSeconds()]).toEqual([false, 7_206])
  const without = await watchOf(null).after(999)
  expect([without.isRecent(), without.ageSeconds()]).toEqual([true, undefined])
})
