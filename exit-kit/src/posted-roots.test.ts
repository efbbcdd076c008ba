import { encodeAbiParameters, keccak256, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { findPosted, hashRef, lastRootUpTo, NO_ROOT } from './posted-roots.ts'
import { postedOf, type Sample, START, sampleHeader, slotsOf } from './testing/sample-headers.ts'

const [one, two, three] = (await Promise.all([1, 2, 3].map((each) => sampleHeader(each, {})))) as [
  Sample,
  Sample,
  Sample,
]
const MOST = 100_000

test('hashes a root as the vault does', () => {
  const root = { headerHash: one.signed.hash, postedAt: START, seq: 258 }
  const types = [{ type: 'bytes32' }, { type: 'uint40' }, { type: 'uint40' }] as const
  expect(hashRef(root)).toBe(keccak256(encodeAbiParameters(types, [root.headerHash, root.postedAt, root.seq])))
})

test('finds place and time of a header that was posted before', async () => {
  const slots = slotsOf([
    [one, 130],
    [two, 200],
  ])
  const headers = [one.signed, three.signed]
  const found = await findPosted({ headers, slots, seqs: [1, 2], most: MOST })
  expect(found).toEqual([postedOf(one, { postedAt: START + 130, seq: 1 })])
})

test('finds the newest header without a search', async () => {
  const slots = slotsOf([[one, 20_000]])
  const found = await findPosted({ headers: [one.signed], slots, seqs: [1], most: 1 })
  expect(found).toEqual([postedOf(one, { postedAt: START + 20_000, seq: 1 })])
})

test('gives up after the most hashes', async () => {
  const slots = slotsOf([
    [one, 130],
    [two, 200],
  ])
  expect(await findPosted({ headers: [one.signed], slots, seqs: [1, 2], most: 50 })).toEqual([])
})

test('does not take a header that the vault does not store', async () => {
  const slots = slotsOf([[two, 200]])
  const forged = { ...one.signed, number: '2' }
  expect(await findPosted({ headers: [forged], slots, seqs: [1], most: MOST })).toEqual([])
})

const roots = [
  postedOf(one, { postedAt: START + 100, seq: 1 }),
  postedOf(two, { postedAt: START + 200, seq: 2 }),
  postedOf(three, { postedAt: START + 300, seq: 3 }),
]
const posts = [
  [one, 100],
  [two, 200],
  [three, 300],
] as const

test.each([
  ['before all', 99, roots, undefined, undefined],
  ['in the second of a post', 200, roots, 2, 3],
  ['between two', 299, roots, 2, 3],
  ['after all', 9_999, roots, 3, 0],
])('chooses the last root %s', (_, time, known, seq, next) => {
  const last = lastRootUpTo(START + time, known, slotsOf(posts))
  expect(last.kind === 'found' ? [last.root.seq, last.next.seq] : []).toEqual(seq === undefined ? [] : [seq, next])
})

test('skips dropped roots', () => {
  const slots = slotsOf([posts[0], undefined, posts[2]])
  expect(slots.at.get(2)).toBe(zeroHash)
  const known = roots.filter(({ seq }) => seq !== 2)
  expect(lastRootUpTo(START + 250, known, slots)).toMatchObject({ root: { seq: 1 }, next: { seq: 3 } })
})

test('wants the header of the next root', () => {
  const last = lastRootUpTo(START + 250, roots.slice(0, 1), slotsOf(posts))
  expect(last).toMatchObject({ kind: 'next_unknown', seq: 2 })
})

test('has zeros where no root follows', () => {
  expect(lastRootUpTo(START + 300, roots, slotsOf(posts))).toMatchObject({ kind: 'found', next: NO_ROOT })
})
