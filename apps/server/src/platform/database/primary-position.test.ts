import type { ReadPool } from '@clearwell/ledger/read-pool'
import { expect, test } from 'vitest'
import { createPrimaryPosition } from './primary-position.ts'

/** A primary whose log the test extends, and that answers when the test says so. */
function openPrimary() {
  const state = { position: 1n, isDown: false }
  const asked: (() => void)[] = []
  const pool: ReadPool = {
    connect: async () => ({
      async query<Row extends object>() {
        const { position, isDown } = state
        await new Promise<void>((resolve) => asked.push(resolve))
        if (isDown) throw new Error('down')
        return [{ position }] as unknown as Row[]
      },
      release() {},
    }),
    state: { pool: 'position', busy: 0, idle: 0, waiting: 0 },
    close: async () => {},
  }
  const answer = async () => {
    await expect.poll(() => asked.length).toBe(1)
    for (const resolve of asked.splice(0)) resolve()
  }
  return { state, asked, answer, primary: createPrimaryPosition(pool) }
}

test('a caller never gets a position from before its call', async () => {
  const { state, asked, answer, primary } = openPrimary()
  const early = primary.read()
  await expect.poll(() => asked.length).toBe(1)
  state.position = 2n
  const late = [primary.read(), primary.read()]
  await answer()
  expect(await early).toBe(1n)
  await answer()
  expect(await Promise.all(late)).toEqual([2n, 2n])
  await primary.stop()
})

test('a primary that is away is asked again in the background', async () => {
  const { state, answer, asked, primary } = openPrimary()
  state.isDown = true
  const read = primary.read()
  await answer()
  expect(await read).toBeUndefined()
  // Without waiting for the primary.
  expect(await primary.read()).toBeUndefined()
  expect(asked).toHaveLength(0)
  state.isDown = false
  await answer()
  await new Promise((resolve) => setImmediate(resolve))
  const back = primary.read()
  await answer()
  expect(await back).toBe(1n)
  await primary.stop()
})
