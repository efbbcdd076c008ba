import type { AssetId } from '@clearwell/money/asset'
import { E18 } from '@clearwell/money/scale'
import { emptyHeader } from '@clearwell/proofs/empty-header'
import { encodeHeader } from '@clearwell/proofs/header'
import { zeroHash } from 'viem'
import { expect, test } from 'vitest'
import type { OwnLeaf } from '../../domain/proofs/own-leaves-port.ts'
import { decideClaims, describeRoots, isBaseAgain } from './decide-claims.ts'

const tokenOf = (byte: string) => `0x${byte.repeat(20)}` as const
const TOKENS = { BNB: tokenOf('00'), USDT: tokenOf('aB'), ETH: tokenOf('eE'), RT: tokenOf('54') }
const LEAF: OwnLeaf = {
  ...{ kind: 'user', asset: 'USDT', salt: '0x5a', free: '1', deposited_seen: '2', paid_seen: '3', index: 9 },
  path: [
    { hash: '0xaa', sum: '7', side: 'left' },
    { hash: '0xbb', sum: '0', side: 'right' },
  ],
}

/** A header has the assets of the vault in its order. An address can be written in other cases. */
function decide(own: readonly OwnLeaf[], counted: readonly (readonly [AssetId, bigint, bigint])[]) {
  const { assets } = headerAt(0n, [tokenOf('Ee'), tokenOf('Ab')])
  const counters = new Map(counted.map(([asset, deposited, paid]) => [asset, { deposited, paid }]))
  return decideClaims({ assets }, { tokens: TOKENS, own, counters })
}

function headerAt(block: bigint, tokens: readonly `0x${string}`[] = []) {
  return emptyHeader({ number: 12n, cursor: { number: block, hash: zeroHash, time: 1 }, tokens })
}
const rootOf = (seq: bigint) => ({
  ...{ id: `0xv:${seq}`, vault: '0xv', seq, number: 10n + seq, header_hash: `0xh${seq}`, tx_hash: `0xt${seq}` },
  ...{ posted_at: new Date(Date.UTC(2026, 10, Number(seq))), block: 300n, is_void: false },
})

// By hand: free + (deposited − depositedSeen) − (paid − paidSeen).
test.each([
  ['its free amount', ['10', '0', '0'], [0n, 0n], 10n],
  ['what came in since', ['10', '5', '0'], [9n, 0n], 14n],
  ['less what was paid since', ['10', '0', '2'], [0n, 9n], 3n],
  ['all of it together', ['100', '20', '3'], [50n, 12n], 121n],
  ['a last unit', ['10', '20', '3'], [20n, 12n], 1n],
  ['nothing of zero', ['10', '20', '3'], [20n, 13n], undefined],
  ['nothing below zero', ['10', '20', '3'], [20n, 14n], undefined],
  ['less than it saw come in', ['10', '20', '3'], [15n, 3n], 5n],
  ['its deposits without a leaf', undefined, [8n, 0n], 8n],
  ['its deposits less payments without a leaf', undefined, [8n, 7n], 1n],
  ['nothing without a leaf and a rest', undefined, [8n, 8n], undefined],
  ['nothing without a leaf below zero', undefined, [8n, 9n], undefined],
] as const)('an account claims %s', (_what, seen, [deposited, paid], units) => {
  const [free = '', deposited_seen = '', paid_seen = ''] = (seen ?? []).map((each) => `${BigInt(each) * E18}`)
  const own = seen ? [{ ...LEAF, free, deposited_seen, paid_seen }] : []
  const claims = decide(own, [['USDT', deposited * E18, paid * E18]])
  expect(claims.map(({ amount }) => amount)).toEqual(units === undefined ? [] : [`${units}`])
})

test('a claim has its leaf, or zeros without a path', () => {
  const counted = [
    ['USDT', 2n, 3n],
    ['ETH', 2n * E18, E18],
  ] as const
  expect(decide([LEAF], counted)).toEqual([
    {
      ...{ asset: 'USDT', amount: '0.000000000000000001', token: TOKENS.USDT, index: 1, place: 9 },
      leaf: { salt: '0x5a', free: '1', deposited_seen: '2', paid_seen: '3' },
      path: [
        { hash: '0xaa', sum: '7' },
        { hash: '0xbb', sum: '0' },
      ],
    },
    {
      ...{ asset: 'ETH', amount: '1', token: TOKENS.ETH, index: 0, place: 0, path: [] },
      leaf: { salt: zeroHash, free: '0', deposited_seen: '0', paid_seen: '0' },
    },
  ])
})

test('a leaf without counters is claimed whole', () => {
  expect(decide([{ ...LEAF, deposited_seen: '0', paid_seen: '0' }], []).map(({ amount }) => amount)).toEqual([
    '0.000000000000000001',
  ])
})

test('an asset that the header lacks has no claim', () => {
  const own = (['BNB', 'RT'] as const).map((asset) => ({ ...LEAF, asset, free: `${5n * E18}` }))
  expect(
    decide(own, [
      ['BNB', 9n, 0n],
      ['RT', 9n, 0n],
    ]),
  ).toEqual([])
})

// The base is root 2, and has read the chain up to block 200.
test.each([
  [199n, 1n, false],
  [200n, 1n, false],
  [201n, 1n, true],
  [201n, 2n, false],
])('the base lacks a payment in block %s of root %s: %s', (block, seq, isAgain) => {
  expect(isBaseAgain({ root: rootOf(seq), block }, { row: rootOf(2n), header: headerAt(200n) })).toBe(isAgain)
})

test('describes the roots with the base first', () => {
  const [base, again] = [headerAt(200n), headerAt(100n)]
  const described = describeRoots(
    [
      { row: rootOf(2n), header: base },
      { row: rootOf(1n), header: again },
    ],
    rootOf(3n),
  )
  expect(described).toEqual({
    base: { number: '12', posted_at: '2026-11-02T00:00:00.000Z', tx_hash: '0xt2' },
    roots: [
      { header: encodeHeader(base), posted_at: 1_793_577_600, seq: 2 },
      { header: encodeHeader(again), posted_at: 1_793_491_200, seq: 1 },
    ],
    next: { header_hash: '0xh3', posted_at: 1_793_664_000, seq: 3 },
  })
})

test('describes a base without a later root', () => {
  const { next } = describeRoots([{ row: rootOf(2n), header: headerAt(1n) }], undefined)
  expect(next).toEqual({ header_hash: zeroHash, posted_at: 0, seq: 0 })
})
