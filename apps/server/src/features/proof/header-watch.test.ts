import { expect, test } from 'vitest'
import { createHeaderWatch } from './header-watch.ts'

const MADE = new Date('2026-11-28T09:00:00Z')
const MINUTE_MS = 60_000

/** @param madeAt absent: there is no row. @param rootMadeAt null without a vault with exits */
function watchOf(madeAt?: Date | null, rootMadeAt: Date | null = null) {
  const alarms: string[] = []
  const clock = { at: MADE, now: () => clock.at }
  const rows = madeAt === undefined ? [] : [{ made_at: madeAt, root_made_at: rootMadeAt }]
  const db = { query: async () => rows } as never
  const watch = createHeaderWatch(db, clock, (error) => void alarms.push((error as Error).message))
  const after = async (minutes: number, isLeader = true) => {
    clock.at = new Date(MADE.getTime() + minutes * MINUTE_MS)
    await watch.check(isLeader)
    return watch
  }
  return { alarms, after, watch }
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

test('counts from the posted header and says both ages', async () => {
  const { alarms, after } = watchOf(new Date(MADE.getTime() + 99 * MINUTE_MS), MADE)
  const late = await after(121)
  expect(alarms).toEqual([
    'the newest header on the vault is 121 minutes old, the newest signed one 22: trading is stopped',
  ])
  expect([late.isRecent(), late.ageSeconds(), late.signedAgeSeconds()]).toEqual([false, 7_260, 1_320])
})

test('is recent until two hours, and counts nothing without a header', async () => {
  const { after } = watchOf(MADE)
  expect((await after(120)).isRecent()).toBe(true)
  const late = await after(120.1)
  expect([late.isRecent(), late.ageSeconds()]).toEqual([false, 7_206])
  for (const { watch, alarms, after } of [watchOf(), watchOf(null)]) {
    const shown = () => [watch.isRecent(), watch.isDayOld(), watch.ageSeconds(), watch.signedAgeSeconds()]
    expect(shown()).toEqual([true, false, undefined, undefined])
    await after(9_999)
    expect([shown(), alarms]).toEqual([[true, false, undefined, undefined], []])
  }
})

test('is a day old after 24 hours, by the posted header', async () => {
  const { after } = watchOf(new Date(MADE.getTime() + 999 * MINUTE_MS), MADE)
  expect((await after(1_440)).isDayOld()).toBe(false)
  expect((await after(1_440.1)).isDayOld()).toBe(true)
})
