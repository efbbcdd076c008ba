import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fetchFont } from './brand-font.ts'

const dataset: { font?: string } = {}
const kept = new Map<string, string>()
const load = vi.fn(async (): Promise<object[]> => [{}])

beforeEach(() => {
  delete dataset.font
  kept.clear()
  vi.stubGlobal('document', { documentElement: { dataset }, fonts: { load } })
  vi.stubGlobal('localStorage', { setItem: (key: string, value: string) => void kept.set(key, value) })
})

afterEach(() => vi.unstubAllGlobals())

const isFetched = () => kept.has('clearwell.font')

test('the open screen keeps its font until the next one shows', async () => {
  let showNext = () => {}
  await fetchFont((show) => {
    showNext = show
  })
  expect(isFetched()).toBe(true)
  expect(dataset.font).toBeUndefined()
  showNext()
  expect(dataset.font).toBe('')
})

test('a visit without a network leaves the font for the next visit', async () => {
  const onNextScreen = vi.fn()
  load.mockRejectedValueOnce(new Error('offline'))
  await fetchFont(onNextScreen)
  load.mockResolvedValueOnce([])
  await fetchFont(onNextScreen)
  expect(isFetched()).toBe(false)
  expect(onNextScreen).not.toHaveBeenCalled()
})
