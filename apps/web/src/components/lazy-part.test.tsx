import { expect, test, vi } from 'vitest'
import { lazySheet } from './lazy-part.tsx'

test('code that could not be loaded is asked for again, and once it is there never any more', async () => {
  const load = vi.fn(async () => ({ default: () => null }))
  load.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  const { preload } = lazySheet(load)
  await expect(preload()).rejects.toThrow('Failed to fetch')
  await preload()
  await preload()
  expect(load).toHaveBeenCalledTimes(2)
})
