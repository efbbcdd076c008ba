import { describe, expect, test } from 'vitest'
import { type BlockRange, createRangeReader, isRangeTooLarge } from './log-ranges.ts'
import { NodeError } from './node-error.ts'

/** A node that rejects ranges of more than `most` blocks. */
function nodeWithLimit(limit: { blocks: bigint }) {
  const asked: BlockRange[] = []
  const read = createRangeReader(async (range) => {
    asked.push(range)
    if (range.to - range.from + 1n > limit.blocks) {
      throw new NodeError('exceed maximum block range', { code: -32000 })
    }
    return range
  })
  return { read, asked }
}

function expectWhole(pieces: readonly BlockRange[], { from, to }: BlockRange): void {
  expect(pieces[0]?.from).toBe(from)
  expect(pieces.at(-1)?.to).toBe(to)
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) expect(piece.from).toBe((pieces[index - 1]?.to ?? 0n) + 1n)
  }
}

describe('the range reader', () => {
  test('sends one request per 2,000 blocks and skips none', async () => {
    const { read, asked } = nodeWithLimit({ blocks: 2_000n })
    expectWhole(await read({ from: 10n, to: 2_009n }), { from: 10n, to: 2_009n })
    expect(asked).toHaveLength(1)
    expectWhole(await read({ from: 0n, to: 4_999n }), { from: 0n, to: 4_999n })
    expect(asked).toHaveLength(4)
  })

  test.each([1n, 2n, 3n, 7n, 50n, 499n, 1_000n, 1_999n])(
    'reads a whole range from a node limited to %i blocks',
    async (blocks) => {
      const { read } = nodeWithLimit({ blocks })
      for (const range of [
        { from: 0n, to: 0n },
        { from: 5n, to: 1_237n },
        { from: 1_238n, to: 4_000n },
      ]) {
        expectWhole(await read(range), range)
      }
    },
  )

  test('keeps a reduced range and grows it again slowly', async () => {
    const limit = { blocks: 100n }
    const { read, asked } = nodeWithLimit(limit)
    await read({ from: 0n, to: 999n })
    const learned = asked.length
    await read({ from: 1_000n, to: 1_099n })
    expect(asked.length - learned).toBeLessThanOrEqual(3)
    limit.blocks = 2_000n
    await read({ from: 0n, to: 99_999n })
    const last = asked.at(-2) as BlockRange
    expect(last.to - last.from + 1n).toBe(2_000n)
    for (const [index, range] of asked.slice(learned + 3).entries()) {
      const before = asked[learned + 2 + index] as BlockRange
      const [now, then] = [range.to - range.from + 1n, before.to - before.from + 1n]
      expect(now <= then + then / 4n + 1n).toBe(true)
    }
  })

  test('names a single block whose logs are too large', async () => {
    const { read, asked } = nodeWithLimit({ blocks: 0n })
    await expect(read({ from: 70n, to: 90n })).rejects.toMatchObject({ name: 'ChainFault', kind: 'too_large' })
    await expect(read({ from: 70n, to: 90n })).rejects.toThrow('block 70 alone')
    expect(asked.at(-1)).toEqual({ from: 70n, to: 70n })
  })

  test('the range reader returns no partial range after another error', async () => {
    let count = 0
    const read = createRangeReader(async () => {
      if (++count === 2) throw new NodeError('header not found', { code: -32000 })
      return count
    })
    await expect(read({ from: 0n, to: 5_000n })).rejects.toThrow('header not found')
    expect(count).toBe(2)
  })

  test('requests smaller pieces in the pass after a timeout', async () => {
    const asked: BlockRange[] = []
    const read = createRangeReader(async (range) => {
      asked.push(range)
      if (asked.length === 1) throw new NodeError('the node did not answer in 10 seconds', { isTimeout: true })
      return range
    })
    await expect(read({ from: 0n, to: 1_999n })).rejects.toThrow('10 seconds')
    expectWhole(await read({ from: 0n, to: 1_999n }), { from: 0n, to: 1_999n })
    expect(asked).toHaveLength(3)
  })
})

describe('errors of nodes', () => {
  test.each([
    ['Infura', -32005, 'query returned more than 10000 results. Try with this block range [0x1, 0x2].'],
    ['Infura', -32005, 'query timeout exceeded'],
    ['Infura', -32602, 'range 1000000 exceeds limit of 10000'],
    ['Alchemy', -32602, 'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range'],
    ['Alchemy', -32600, 'You can make eth_getLogs requests with up to a 500 block range.'],
    ['QuickNode', -32614, 'eth_getLogs is limited to a 10,000 range'],
    ['Ankr', -32600, 'block range is too wide'],
    ['Ankr', -32000, 'query exceeds max results 20000, retry with the range 24383075-24383096'],
    ["BSC's own", -32000, 'exceed maximum block range: 5000'],
    ["BSC's own", -32005, 'limit exceeded'],
    ['PublicNode', -32701, 'maximum block range: 2000'],
    ['Chainstack', -32600, 'Block range limit exceeded. See more details at …'],
    ['Tenderly', -32602, 'invalid params {"payload":"range 9009594 is bigger than range limit 2000"}'],
    ['1RPC', -32000, 'response size should not greater than 10000000 bytes'],
    ['Nitro and geth', -32000, 'logs matched by query exceeds limit of 10000'],
    ['Optimism', -32020, 'backend response too large'],
  ])('%s (%i): %s — retries with a smaller range', (_name, code, message) => {
    expect(isRangeTooLarge(new NodeError(`the node responded: ${message} (${code})`, { code }))).toBe(true)
  })

  test.each([
    ['a node behind the head', -32602, 'block range extends beyond current head block'],
    ['a range that is none', -32000, 'invalid block range params'],
    ['an unknown block', -32000, 'header not found'],
    ['Infura out of credit', -32005, 'daily request count exceeded, request rate limited'],
    ['QuickNode', -32007, '50/second request limit reached - reduce calls per second'],
    ['Alchemy', 429, 'Your app has exceeded its compute units per second capacity'],
    ['anything', -32000, 'execution reverted'],
    ['anything', -32601, 'the method eth_getLogs does not exist'],
  ])('%s (%i): %s — does not retry with a smaller range', (_name, code, message) => {
    expect(isRangeTooLarge(new NodeError(message, { code }))).toBe(false)
  })

  test('only HTTP 413 and an oversized response shrink the range', () => {
    expect(isRangeTooLarge(new NodeError('the node responded', { status: 413 }))).toBe(true)
    expect(isRangeTooLarge(new NodeError('longer', { isTooLong: true }))).toBe(true)
    expect(isRangeTooLarge(new NodeError('the node responded', { status: 429 }))).toBe(false)
    expect(isRangeTooLarge(new NodeError('the node responded with HTTP status 504', { status: 504 }))).toBe(false)
    expect(isRangeTooLarge(new NodeError('the node did not answer in 10 seconds', { isTimeout: true }))).toBe(false)
  })
})
