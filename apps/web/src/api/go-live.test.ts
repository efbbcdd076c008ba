import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const startLive = vi.fn()
vi.mock('./live.ts', () => ({ startLive }))

let page: EventTarget
let goLive: () => void
beforeEach(async () => {
  vi.useFakeTimers()
  vi.resetModules()
  startLive.mockClear()
  page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('navigator', { userActivation: { hasBeenActive: false } })
  goLive = (await import('./go-live.ts')).goLive
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
  await vi.dynamicImportSettled()
}

test.each(['pointerdown', 'keydown'])('a page polls until its first %s starts the stream', async (touch) => {
  goLive()
  goLive()
  await pass(60_000)
  expect(startLive).not.toHaveBeenCalled()
  page.dispatchEvent(new Event(touch))
  page.dispatchEvent(new Event(touch))
  await pass(999)
  expect(startLive).not.toHaveBeenCalled()
  await pass(1)
  expect(startLive).toHaveBeenCalledTimes(1)
})

test('the stream starts immediately when an interaction precedes the first poll', async () => {
  vi.stubGlobal('navigator', { userActivation: { hasBeenActive: true } })
  goLive()
  await pass(1_000)
  expect(startLive).toHaveBeenCalledTimes(1)
})

test('a browser without user activation data waits for an interaction', async () => {
  vi.stubGlobal('navigator', {})
  goLive()
  page.dispatchEvent(new Event('pointerdown'))
  await pass(1_000)
  expect(startLive).toHaveBeenCalledTimes(1)
})
