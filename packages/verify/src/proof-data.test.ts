import { sealRecords } from '@clearwell/proofs/proof-data'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findOwnLeaves, totalsBefore } from './own-leaves.mjs'
import { buildTrees, readKeys, readProofData } from './proof-data.mjs'
import { KEYS, makeData, placeOf, type SampleLeaf, saltOf, TOKENS } from './testing/sample-data.ts'
import { rootOf } from './verify-proof.mjs'

type Hex = `0x${string}`
const [ALICE, BOB, CAROL] = ['a1', 'b0', 'ca'].map((byte) => `0x${byte.repeat(20)}` as Hex) as [Hex, Hex, Hex]
const leaf = (account: Hex, asset: number, free: bigint, paidSeen = 0n): SampleLeaf => ({
  ...{ account, asset, free, depositedSeen: free + paidSeen, paidSeen },
})
const { headers, lines } = makeData([
  [leaf(ALICE, 0, 5n), leaf(ALICE, 1, 40n), leaf(BOB, 1, 7n)],
  [leaf(ALICE, 1, 30n, 10n), leaf(CAROL, 2, 9n), leaf(CAROL, 3, 1n)],
  [leaf(BOB, 1, 70n)],
  [leaf(BOB, 1, 0n, 70n)],
])
const [first, second, third, last] = headers as [Header, Header, Header, Header]
type Header = (typeof headers)[number]

const read = (changed: readonly string[], changes: object = {}) =>
  readProofData(changed, { header: last, keys: KEYS, headers, ...changes })
const faultOf = (changed: readonly string[], changes: object = {}) =>
  read(changed, changes).then(
    () => 'none',
    (error: Error) => error.message,
  )
/** One total for all assets: {@link leaf} has them so. */
const totals = (deposited: readonly bigint[], paid: readonly bigint[]) => ({ totalsOf: () => ({ deposited, paid }) })

test('builds the trees of any header from the published data', async () => {
  for (const header of [first, second, last]) {
    const trees = await buildTrees(await readProofData(lines, { header, keys: KEYS }), header)
    expect(trees.map(({ asset, top }) => [asset, `${top.sum}`])).toEqual([
      ...header.assets.map(({ users }, i) => [['BNB', 'USDT', 'ETH'][i], users]),
      ['RT', header.rtUsers],
    ])
  }
})

test('finds the own leaves by place, or by the salt alone', async () => {
  const trees = await buildTrees(await read(lines), last)
  const own = { account: ALICE, salt: saltOf(ALICE), ...totals([40n, 5n], [10n, 0n]) }
  for (const place of [placeOf(ALICE), undefined]) {
    const { leaves, missing } = await findOwnLeaves(trees, { ...own, place })
    expect(missing).toEqual([])
    expect(leaves.map(({ asset, free, paid_seen, index }) => [asset, free, paid_seen, index])).toEqual([
      ['BNB', '5', '0', placeOf(ALICE)],
      ['USDT', '30', '10', placeOf(ALICE)],
    ])
    for (const [i, each] of leaves.entries())
      expect(await rootOf(each, { account: ALICE, token: TOKENS[i] as string })).toBe(last.assets[i]?.root)
  }
  // Today's payments are above those that the header knows, and the newest one is known.
  const later = { ...own, place: placeOf(ALICE), ...totals([40n, 5n], totalsBefore(13n, [3n, 10n])) }
  expect((await findOwnLeaves(trees, later)).missing).toEqual([])
  const unknown = { ...own, place: placeOf(ALICE), ...totals([40n, 5n], [13n, 0n]) }
  expect(await findOwnLeaves(trees, unknown)).toMatchObject({ leaves: [{ asset: 'BNB' }], missing: ['USDT'] })
  expect((await findOwnLeaves(trees, { ...own, salt: saltOf(BOB) })).leaves).toEqual([])
})

describe('names the fault of', () => {
  const cut = (text: string) => JSON.stringify({ ...JSON.parse(text), block: flipped(JSON.parse(text).block) })
  const [one, two, three, four] = lines as [string, string, string, string]
  test.each([
    ['a wrong key', lines, { keys: { ...KEYS, '2027Q1': `0x${'77'.repeat(32)}` } }, 'line 3: no key opens'],
    ['a missing key', lines, { keys: { '2027Q1': KEYS['2027Q1'] } }, 'line 1: no key opens'],
    ['no key', lines, { keys: {} }, 'there is no key'],
    ['a key of another length', lines, { keys: { '2026Q4': '0x04' } }, 'the key of 2026Q4 is not 32 bytes'],
    ['a changed line', [one, cut(two), three, four], {}, 'line 2: the block was changed'],
    ['a changed line without other headers', [one, cut(two), three, four], { headers: [] }, 'line 2: the block was'],
    ['a missing line', [one, three, four], {}, 'line 2: the block was changed, or one before it is missing'],
    ['a line that lost its form', [one, two.slice(0, -9), three, four], {}, 'line 2: this is no block'],
    ['another number', [one, two.replace('"5"', '"6"'), three, four], {}, 'line 2: this is no block of proof data'],
    ['a file without its beginning', [two, three, four], {}, 'the data begin with header 5'],
    ['a file that ends early', [one, two], {}, 'no block of header 9: the last one before it is that of header 5'],
    ['an empty file', [], {}, 'no block up to header 9'],
    [
      'a header of another ledger',
      lines,
      { header: { ...last, dataHash: third.dataHash }, headers: [] },
      'so the data do not lead to header 9',
    ],
  ])('%s', async (_, changed, changes, fault) => {
    expect(await faultOf(changed, changes)).toContain(fault)
  })

  test('a block that a stranger sealed with the published key', async () => {
    const key = Buffer.from(KEYS['2026Q4'].slice(2), 'hex')
    const block = sealRecords(key, 5n, [{ asset: 0, place: 1, hash: `0x${'11'.repeat(32)}`, sum: 1_000n }])
    const forged = JSON.stringify({ number: '5', block: block.toString('base64') })
    expect(await faultOf([one, forged, three, four])).toContain('line 2: the block was changed')
    expect(await faultOf([one, forged, three, four], { headers: [] })).toContain('the data do not lead to header 9')
  })

  test('a tree that has another root', async () => {
    const leaves = await read(lines)
    const other = { ...last, assets: last.assets.map((each) => ({ ...each, root: first.rtRoot })) }
    await expect(buildTrees(leaves, other)).rejects.toThrow('the leaves of BNB do not lead to the root in header 9')
  })
})

test('joins files that overlap, and ignores later headers', async () => {
  const overlapping = [...lines.slice(0, 3), '', ...lines.slice(1), 'a line after the header']
  expect(await faultOf(overlapping)).toBe('none')
  expect(await faultOf(lines, { header: second })).toBe('none')
})

test('any change of one byte of the data is found', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(lines.length - 1), fc.nat(500), fc.integer({ min: 1, max: 255 }), async (i, at, mask) => {
      const { number, block } = JSON.parse(lines[i] as string)
      const bytes = Buffer.from(block, 'base64')
      bytes.writeUInt8(bytes.readUInt8(at % bytes.length) ^ mask, at % bytes.length)
      const changed = lines.with(i, JSON.stringify({ number, block: bytes.toString('base64') }))
      expect(await faultOf(changed)).toContain(`line ${i + 1}:`)
    }),
    { numRuns: 60 },
  )
})

test('reads files of keys and no other files', () => {
  const file = { format: 'clearwell data keys 1', chainId: 56, vault: `0x${'7A'.repeat(20)}`, keys: KEYS }
  expect(readKeys(file)).toEqual({ chainId: 56, vault: `0x${'7a'.repeat(20)}`, keys: KEYS })
  for (const other of [undefined, {}, { keys: KEYS }, { ...file, keys: null }]) expect(readKeys(other)).toBeUndefined()
})

function flipped(block: string): string {
  const bytes = Buffer.from(block, 'base64')
  bytes.writeUInt8(bytes.readUInt8(30) ^ 1, 30)
  return bytes.toString('base64')
}
