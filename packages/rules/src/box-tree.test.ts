import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toHex } from './box-draw.ts'
import { DEFAULT_BOX_RULES } from './box-rules.ts'
import {
  appendLeaf,
  type BoxLeaf,
  dayRoot,
  EMPTY_TREE,
  hashFromPath,
  inclusionPath,
  leafHash,
  rootText,
  treeHash,
} from './box-tree.ts'
import { pathByDefinition, treeByDefinition } from './testing/box-day-by-definition.ts'

const sha256 = (message: Uint8Array) => createHash('sha256').update(message).digest()
const hashed = (leaves: readonly Uint8Array[]) => leaves.map((leaf) => sha256(Buffer.concat([Buffer.of(0), leaf])))
const grown = (hashes: readonly Uint8Array[]) =>
  hashes.reduce((tree, hash) => appendLeaf(tree, hash, sha256), EMPTY_TREE)

/** Source: the test vectors of the Certificate Transparency project (merkletree/merkle_tree_test.cc). */
const CT_LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
const CT_ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

test.each(CT_ROOTS.map((root, size) => [size, root]))('a tree of %i leaves has the published root', (size, root) => {
  const leaves = CT_LEAVES.slice(0, Number(size)).map((leaf) => Buffer.from(leaf, 'hex'))
  expect(toHex(treeHash(grown(hashed(leaves)), sha256))).toBe(root)
  expect(toHex(treeByDefinition(leaves))).toBe(root)
})

test('trees and paths of up to 70 leaves agree with their definition', () => {
  const leaves = Array.from({ length: 70 }, (_, index) => Buffer.of(index))
  const hashes = hashed(leaves)
  for (let size = 1; size <= leaves.length; size += 1) {
    const some = leaves.slice(0, size)
    const root = treeByDefinition(some)
    expect(treeHash(grown(hashes.slice(0, size)), sha256)).toEqual(root)
    for (const index of [0, Math.floor(size / 2), size - 2, size - 1].filter((each) => each >= 0)) {
      const path = inclusionPath(hashes.slice(0, size), index, sha256)
      expect(path).toEqual(pathByDefinition(index, some))
      expect(hashFromPath({ leaf: hashes[index] as Buffer, index, size, path }, sha256)).toEqual(root)
    }
  }
})

describe('hashFromPath', () => {
  const hashes = hashed(Array.from({ length: 11 }, (_, index) => Buffer.of(index)))
  const root = treeHash(grown(hashes), sha256)
  const proofOf = (index: number) => ({
    leaf: hashes[index] as Uint8Array,
    index,
    size: 11,
    path: inclusionPath(hashes, index, sha256),
  })

  test('reaches the root from no other leaf, index or path', () => {
    const isProof = (proof: ReturnType<typeof proofOf>) =>
      Buffer.compare(hashFromPath(proof, sha256) ?? Buffer.of(), root) === 0
    fc.assert(
      fc.property(fc.nat(10), fc.nat(10), fc.nat(3), (index, other, at) => {
        const proof = proofOf(index)
        expect(isProof(proof)).toBe(true)
        expect(isProof({ ...proof, index: other })).toBe(other === index)
        expect(isProof({ ...proof, leaf: hashes[other] as Uint8Array })).toBe(other === index)
        expect(isProof({ ...proof, path: proof.path.toSpliced(at, 1) })).toBe(at >= proof.path.length)
        expect(isProof({ ...proof, path: [...proof.path, root] })).toBe(false)
      }),
    )
  })

  test('of one leaf is the leaf, at no other index', () => {
    const one = { leaf: root, size: 1, path: [] }
    expect(hashFromPath({ ...one, index: 0 }, sha256)).toEqual(root)
    expect(hashFromPath({ ...one, index: 1 }, sha256)).toBeUndefined()
  })

  test.each([-1, 11, 0.5])('has no hash for the index %s', (index) => {
    expect(hashFromPath({ ...proofOf(3), index }, sha256)).toBeUndefined()
    expect(() => inclusionPath(hashes, index, sha256)).toThrow(RangeError)
  })
})

test('perfect subtrees prove a leaf in two parts', () => {
  const hashes = hashed(Array.from({ length: 22 }, (_, index) => Buffer.of(index)))
  const chunks = [0, 8, 16].map((start) => hashes.slice(start, start + 8))
  const tops = chunks.map((chunk) => treeHash(grown(chunk), sha256))
  const path = [...inclusionPath(chunks[1] ?? [], 3, sha256), ...inclusionPath(tops, 1, sha256)]
  expect(path).toEqual(inclusionPath(hashes, 11, sha256))
})

const box: BoxLeaf = {
  day: '2026-11-22',
  id: '0123456789abcdef0123456789abcdef',
  level: 2,
  streak: 7,
  fees: 12_500_000_000_000_000_000n,
}

test('a leaf is the hash of its facts', () => {
  // Source: printf '\000box 2026-11-22 0123456789abcdef0123456789abcdef 2 7 12.5' | sha256sum
  expect(toHex(leafHash(box, sha256))).toBe('026788832e2c5ea1ed75be39c6e014d9fce25298c2b5af359ff146b2868c0a75')
})

test('a first box without fees has a leaf', () => {
  // Source: printf '\000box 2026-11-22 0123456789abcdef0123456789abcdef 0 0 0' | sha256sum
  const first = { ...box, level: 0, streak: 0, fees: 0n } as const
  expect(toHex(leafHash(first, sha256))).toBe('3434ec3bbf6e3621df73cd70686281c3b25d04b1a9d60f359ede9f6fa249c82c')
})

test('a tree with fewer peaks than its size says takes no leaf', () => {
  expect(() => appendLeaf({ size: 1, peaks: [] }, sha256(Buffer.of(1)), sha256)).toThrow('fewer peaks')
})

test.each([{ day: '2026-02-30' }, { id: 'x' }, { level: 6 }, { streak: -1 }, { streak: 1.5 }, { fees: -1n }])(
  'a leaf has no hash with %o',
  (change) => {
    expect(() => leafHash({ ...box, ...change } as BoxLeaf, sha256)).toThrow(RangeError)
  },
)

test('the root is the hash of the facts of the day', () => {
  const hash = Buffer.from('630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd', 'hex')
  const header = {
    day: '2026-11-22',
    rule: 'table',
    commitment: { hash, publishedAt: new Date('2026-11-21T15:00:00.000Z') },
    publishedAt: new Date('2026-11-22T16:00:01.000Z'),
    boxes: 1,
    tree: leafHash(box, sha256),
    ledgerSeq: 5_120n,
    entryHash: '9f'.repeat(32),
    rules: DEFAULT_BOX_RULES,
    sources: [
      { asset: 'USDT', rewards: 600_500_000_000_000_000_000n, contributed: 75_000_000_000_000_000_000n },
      { asset: 'BNB', rewards: 0n, contributed: 0n },
    ],
  } as const
  const lines = [
    'clearwell box day 2',
    'day 2026-11-22',
    'rule table',
    'rules level 200 streak 100 900 odds 1:60,2:25,3:10,5:4,10:1 days 30 parts 30 claim 30 block 30,120,360,720,1440 margin 10 reveal 24',
    `commitment ${toHex(hash)} 2026-11-21T15:00:00.000Z`,
    'published 2026-11-22T16:00:01.000Z',
    'boxes 1',
    `tree ${toHex(header.tree)}`,
    `ledger 5120 ${header.entryHash}`,
    'rewards BNB 0 0',
    'rewards USDT 600.5 75',
    '',
  ]
  expect(rootText(header)).toBe(lines.join('\n'))
  expect(rootText({ ...header, commitment: undefined })).toContain('\ncommitment none\n')
  const assets = (['USDT', 'BNB', 'RT', 'ETH'] as const).map((asset) => ({ asset, rewards: 1n, contributed: 0n }))
  for (const sources of [assets, assets.toReversed(), [...assets.slice(2), ...assets.slice(0, 2)]])
    expect(rootText({ ...header, sources }).match(/(?<=rewards )[A-Z]+/g)).toEqual(['BNB', 'ETH', 'RT', 'USDT'])
  // Source: printf of that text | sha256sum
  expect(toHex(dayRoot(header, sha256))).toBe('6938baf3d720791c58726f3c6f340280f0d9009d42f7cd01f620e826b8f29bec')
})
