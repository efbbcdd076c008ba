import { expect, test } from 'vitest'
import { createCursorCheck, hasBlocks } from './reorg-check.ts'

/** A chain with these hashes, by number. */
function chainOf(hashes: Record<string, string>) {
  return {
    async block(number: bigint) {
      const hash = hashes[String(number)]
      return hash === undefined ? undefined : { number, hash, time: new Date(0) }
    },
  }
}
const block = (number: bigint, hash: string) => ({ number, hash })

test('hasBlocks finds existing blocks, also when named twice', async () => {
  const chain = chainOf({ 7: '0xa', 8: '0xb' })
  expect(await hasBlocks(chain, [block(7n, '0xa'), block(8n, '0xb'), block(7n, '0xa')])).toBe(true)
  expect(await hasBlocks(chain, [])).toBe(true)
})

test('hasBlocks misses a block that is absent or has another hash', async () => {
  const chain = chainOf({ 7: '0xa' })
  expect(await hasBlocks(chain, [block(7n, '0xa'), block(8n, '0xb')])).toBe(false)
  expect(await hasBlocks(chain, [block(7n, '0xb')])).toBe(false)
})

test.each([
  ['0xa', '0xb'],
  ['0xb', '0xa'],
])('rejects two hashes for one block, %s before %s', async (first, second) => {
  const chain = chainOf({ 7: '0xa' })
  expect(await hasBlocks(chain, [block(7n, first), block(7n, second)])).toBe(false)
})

test('the cursor check halts at the second look that finds another block', async () => {
  const hashes: Record<string, string> = { 7: '0xb' }
  const errors: string[] = []
  const check = createCursorCheck(chainOf(hashes), (error, task) => errors.push(`${task}: ${error}`))
  expect(await check.holds(block(7n, '0xa'))).toBe(false)
  expect(check.halted).toBeUndefined()
  expect(await check.holds(block(7n, '0xa'))).toBe(false)
  expect(check.halted).toMatch(/^block 7 was 0xa/)
  hashes[7] = '0xa'
  expect(await check.holds(block(7n, '0xa'))).toBe(false)
  expect(check.halted).toMatch(/^block 7 was 0xa/)
  expect(errors).toEqual([expect.stringMatching(/^watcher halted: Error: block 7 was 0xa/)])
})

test('a single look that finds another block does not halt', async () => {
  const hashes: Record<string, string> = { 7: '0xb' }
  const check = createCursorCheck(chainOf(hashes), (error) => {
    throw error
  })
  for (let look = 0; look < 3; look++) {
    hashes[7] = '0xb'
    expect(await check.holds(block(7n, '0xa'))).toBe(false)
    hashes[7] = '0xa'
    expect(await check.holds(block(7n, '0xa'))).toBe(true)
  }
  expect(check.halted).toBeUndefined()
})

test('a halted cursor check continues once the cursor is at another block', async () => {
  const check = createCursorCheck(chainOf({ 6: '0x6', 7: '0xb' }), () => {})
  for (let look = 0; look < 2; look++) await check.holds(block(7n, '0xa'))
  expect(check.halted).toBeDefined()
  expect(await check.holds(block(6n, '0x6'))).toBe(true)
  expect(check.halted).toBeUndefined()
})

test('the cursor check waits for a short chain and reports once', async () => {
  const hashes: Record<string, string> = {}
  const errors: string[] = []
  const check = createCursorCheck(chainOf(hashes), (error, task) => errors.push(`${task}: ${error}`))
  expect(await check.holds(block(7n, '0xa'))).toBe(false)
  expect(await check.holds(block(7n, '0xa'))).toBe(false)
  expect(errors).toHaveLength(1)
  hashes[7] = '0xa'
  expect(await check.holds(block(7n, '0xa'))).toBe(true)
  delete hashes[7]
  expect(await check.holds(block(7n, '0xa'))).toBe(false)
  expect(errors).toHaveLength(2)
  expect(check.halted).toBeUndefined()
})
