import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createReadiness, type PartState } from './readiness.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const failing = (states: ReadonlyMap<string, PartState>) =>
  [...states].flatMap(([part, state]) => (state === 'ok' ? [] : [part]))

test('readiness names the part that fails', async () => {
  const readiness = createReadiness([
    { name: 'database', probe: () => Promise.reject(new Error('away')) },
    { name: 'chain', probe: async () => 56 },
    { name: 'watcher', isOk: () => false },
  ])
  expect(failing(await readiness.check())).toEqual(['database', 'watcher'])
})

test('readiness fails within a second while a part is silent', async () => {
  const probe = vi.fn(() => new Promise<never>(() => {}))
  const readiness = createReadiness([{ name: 'database', probe }])
  const first = readiness.check()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(failing(await first)).toEqual(['database'])
  // The second check does not wait.
  expect(failing(await readiness.check())).toEqual(['database'])
  expect(probe).toHaveBeenCalledTimes(1)
})

test('readiness bears a failing part until its patience ends', async () => {
  let isAway = true
  const probe = async () => {
    if (isAway) throw new Error('away')
  }
  const readiness = createReadiness([{ name: 'chain', probe, patienceMs: 15_000 }])
  const after = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    return failing(await readiness.check())
  }
  expect(await after(0)).toEqual([])
  expect(await after(14_000)).toEqual([])
  isAway = false
  expect(await after(2_000)).toEqual([])
  isAway = true
  expect(await after(14_000)).toEqual([])
  expect(await after(15_000)).toEqual(['chain'])
  isAway = false
  expect(await after(2_000)).toEqual([])
})

test('readiness shares a probe for a second and notices a change', async () => {
  let isAway = false
  const probe = vi.fn(async () => {
    if (isAway) throw new Error('away')
  })
  const readiness = createReadiness([{ name: 'database', probe }])
  for (let times = 0; times < 100; times++) expect(failing(await readiness.check())).toEqual([])
  expect(probe).toHaveBeenCalledTimes(1)
  isAway = true
  await vi.advanceTimersByTimeAsync(1_001)
  expect(failing(await readiness.check())).toEqual(['database'])
})

test('a part that all servers share is degraded and not failing', async () => {
  const readiness = createReadiness([
    { name: 'ledger', isOk: () => false },
    { name: 'chain', isShared: true, probe: () => Promise.reject(new Error('away')) },
    { name: 'market', isShared: true, isOk: () => true },
  ])
  expect([...(await readiness.check())]).toEqual([
    ['ledger', 'failing'],
    ['chain', 'degraded'],
    ['market', 'ok'],
  ])
})
