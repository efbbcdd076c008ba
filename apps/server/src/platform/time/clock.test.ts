import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openMovableClock, systemClock } from './clock.ts'

const NOW = new Date('2026-11-21T09:00:00Z')

let folder: string
let file: string
beforeEach(async () => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] })
  folder = await mkdtemp(join(tmpdir(), 'clearwell-clock-'))
  file = join(folder, 'clock-offset')
})
afterEach(async () => {
  vi.useRealTimers()
  await rm(folder, { recursive: true })
})

const later = (ms: number) => new Date(NOW.getTime() + ms)

test("the system's clock returns the current time", () => {
  expect(systemClock.now()).toEqual(NOW)
})

test('an unmoved clock returns the current time and writes no file', async () => {
  const clock = await openMovableClock(file)
  expect(clock.now()).toEqual(NOW)
  await expect(readFile(file)).rejects.toThrow('ENOENT')
})

test('a moved clock continues from there, also after a restart', async () => {
  const clock = await openMovableClock(file)
  await clock.advance(86_400_000)
  await clock.advance(1_000)
  expect(clock.now()).toEqual(later(86_401_000))
  vi.setSystemTime(later(5_000))
  expect(clock.now()).toEqual(later(86_406_000))
  expect((await openMovableClock(file)).now()).toEqual(later(86_406_000))
})

test('concurrent moves all count, also after a restart', async () => {
  const clock = await openMovableClock(file)
  await Promise.all(Array.from({ length: 20 }, (_, index) => clock.advance(index)))
  expect(clock.now()).toEqual(later(190))
  expect((await openMovableClock(file)).now()).toEqual(later(190))
})

test('a clock that starts back continues there after a restart', async () => {
  const clock = await openMovableClock(file, systemClock, 90_000)
  expect([clock.now(), clock.behindMs]).toEqual([later(-90_000), 90_000])
  await clock.advance(30_000)
  const restarted = await openMovableClock(file, systemClock, 90_000)
  expect([restarted.now(), restarted.behindMs]).toEqual([later(-60_000), 60_000])
  await restarted.advance(restarted.behindMs)
  expect([restarted.now(), restarted.behindMs]).toEqual([NOW, 0])
})

test.each(['', 'soon', '- 5', '1e9', '1\n', '9'.repeat(16)])(
  'a clock ignores an offset file that contains %j',
  async (text) => {
    await writeFile(file, text)
    expect((await openMovableClock(file)).now()).toEqual(NOW)
  },
)
