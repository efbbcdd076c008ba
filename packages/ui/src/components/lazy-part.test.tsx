import { expect, test, vi } from 'vitest'
import { lazySheet } from './lazy-part.tsx'

test('code that failed to load is requested again until it loads', async () => {
  const load = vi.fn(async () => ({ default: () => null }))
  load.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  const { preload } = lazySheet(load)
  await expect(preload()).rejects.toThrow('Failed to fetch')
  await preload()
  await preload()
  expect(load).toHaveBeenCalledTimes(2)
})
