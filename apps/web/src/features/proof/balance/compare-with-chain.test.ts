import { expect, test } from 'vitest'
import type { RootReading } from '../../../wallet/read-root.ts'
import { compareWithChain } from './compare-with-chain.ts'

const POSTED = { vault: '0x11', hash: '0x22', txHash: '0x33', postedAt: '2030-01-01T00:00:00.000Z' }

test.each<[readonly RootReading[], string, number]>([
  [['posted'], 'right', 1],
  [['posted', 'other'], 'right', 1],
  [['unread', 'posted'], 'right', 2],
  [['other', 'other'], 'wrong', 2],
  // A loud alarm needs two nodes that agree.
  [['other'], 'unchecked', 1],
  [['other', 'unread'], 'unchecked', 2],
  [['unread', 'other'], 'unchecked', 2],
  [['other', 'posted'], 'unchecked', 2],
  [['unread'], 'unchecked', 1],
  [[], 'unchecked', 0],
])('nodes that say %j leave the header %s', async (readings, state, asked) => {
  const nodes: string[] = []
  const step = await compareWithChain({ nodes: readings.map((_, at) => `${at}`), posted: POSTED }, async (node) => {
    nodes.push(node)
    return readings[Number(node)] ?? 'unread'
  })
  expect(step).toMatchObject({ name: 'chain', state })
  expect(nodes).toHaveLength(asked)
})

test('a vault that takes no headers is not asked', async () => {
  const step = await compareWithChain({ nodes: ['0'], posted: undefined }, () => Promise.reject(new Error('asked')))
  expect(step).toEqual({ name: 'chain', state: 'absent' })
})
