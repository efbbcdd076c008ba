import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashLeaf } from '@clearwell/proofs/leaf'
import { SumTree } from '@clearwell/proofs/sum-tree'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Books, FORMAT, nodeOf, readBooks } from './balance-trees.mjs'
import { toHex } from './hash-bytes.mjs'
import { hashHeader } from './hash-header.mjs'
import { keccak256 } from './keccak.mjs'

type Hex = `0x${string}`
const USDT: Hex = '0x55d398326f99059ff775485246999027b3197955'
const OPERATOR = `0x${'0e'.repeat(20)}`
const vectors = JSON.parse(readFileSync(join(import.meta.dirname, '../../../vault/test/exit/vectors.json'), 'utf8'))

/** A deposit of each amount, as the server's ledger records it. */
function booksOf(
  accounts: readonly { account: string; salt: string; place: number; units: bigint }[],
  depth = 20,
): Books {
  return {
    format: FORMAT,
    operator: OPERATOR,
    depth,
    tokens: { USDT },
    accounts: accounts.map(({ units, ...each }) => each),
    seen: accounts.map(({ account, units }) => ({ account, asset: 'USDT', deposited: `${units + 5n}`, paid: '5' })),
    entries: accounts
      .filter(({ units }) => units > 0n)
      .map(({ account, units }, index) => [
        `${index + 1}`,
        'deposit',
        '2026-11-28T05:00:00.000Z',
        '0x01',
        [
          ['vault', 'USDT', `${-units}`],
          [`user:${account}:${index % 2 === 0 ? 'available' : 'locked'}`, 'USDT', `${units}`],
        ],
      ]),
  }
}

test('the trees of an exported ledger equal the vectors', async () => {
  const { users } = vectors
  const books = booksOf(
    users.leaves.map((leaf: Record<string, string>) => ({ ...leaf, units: BigInt(leaf.free ?? '') })),
  )
  const seen = users.leaves.map((leaf: Record<string, string>) => ({
    ...{ account: leaf.account, asset: 'USDT', deposited: leaf.depositedSeen, paid: leaf.paidSeen },
  }))
  const { assets } = await readBooks({ ...books, depth: users.depth, tokens: { USDT: users.asset }, seen })
  expect(assets.USDT?.root).toBe(users.root)
})

test('both implementations build the same root from any ledger', async () => {
  const account = fc.record({
    place: fc.nat(2 ** 20 - 1),
    units: fc.bigInt(0n, 2n ** 100n),
    salt: fc.bigInt(0n, 2n ** 256n - 1n).map((value) => `0x${value.toString(16).padStart(64, '0')}`),
  })
  const ledgers = fc.uniqueArray(account, { selector: ({ place }) => place, minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(ledgers, async (list) => {
      const accounts = list.map((each, index) => ({ ...each, account: `0x${`${index}`.padStart(40, '0')}` }))
      const tree = new SumTree()
      tree.set(
        accounts.map(({ place, salt, account: owner, units }) => {
          const of = { salt: salt as Hex, account: owner as Hex, asset: USDT }
          return { place, hash: hashLeaf({ ...of, free: units, depositedSeen: units + 5n, paidSeen: 5n }), sum: units }
        }),
      )
      const { assets } = await readBooks(booksOf(accounts))
      expect(assets.USDT).toMatchObject({ root: `0x${tree.root(USDT).toString('hex')}`, users: tree.sum })
    }),
    { numRuns: 20 },
  )
})

test('every unit belongs to one part of the total', async () => {
  const account = `0x${'a1'.repeat(20)}`
  const entry = (seq: number, ...postings: [string, string, string][]): Books['entries'][number] => [
    ...([`${seq}`, 'test', '2026-11-28T05:00:00.000Z', ''] as const),
    postings,
  ]
  const books: Books = {
    ...booksOf([{ account, salt: '5a'.repeat(32), place: 9, units: 0n }]),
    entries: [
      entry(1, ['vault', 'USDT', '-100'], [`user:${account}:available`, 'USDT', '100']),
      entry(2, [`user:${account}:available`, 'USDT', '-10'], [`user:${account}:locked`, 'USDT', '10']),
      entry(3, [`user:${account}:available`, 'USDT', '-20'], [`user:${account}:collateral`, 'USDT', '20']),
      entry(4, [`user:${account}:available`, 'USDT', '-30'], ['lending:USDT:cash', 'USDT', '30']),
      entry(5, [`user:${account}:available`, 'USDT', '-4'], ['treasury', 'USDT', '4']),
      entry(6, ['treasury', 'USDT', '-1'], [`user:${OPERATOR}:locked`, 'USDT', '1']),
      entry(7, [`user:${account}:available`, 'USDT', '-2'], ['lending:USDT:reserve', 'USDT', '2']),
    ],
  }
  const { assets, ledgerSeq } = await readBooks(books)
  expect(ledgerSeq).toBe(7n)
  expect(assets.USDT).toMatchObject({ users: 44n, lending: 50n, payouts: 1n, house: 5n, locked: 11n })
})

test('a faulty ledger is rejected with its fault', async () => {
  const accounts = [1, 2].map((place) => ({
    account: `0x${`${place}`.padStart(40, '0')}`,
    salt: '00'.repeat(32),
    place,
    units: 7n,
  }))
  const books = booksOf(accounts)
  const faultOf = (changes: Partial<Books>) =>
    readBooks({ ...books, ...changes }).then(String, (error) => error.message)
  const [first, second] = books.entries as [Books['entries'][number], Books['entries'][number]]
  const [seq, kind, at, reference, postings] = second
  expect(await faultOf({ entries: [second] })).toBe('entry 1 is missing')
  expect(await faultOf({ entries: [first, [seq, kind, at, reference, postings.slice(1)]] })).toContain(
    'does not sum to zero',
  )
  expect(await faultOf({ accounts: books.accounts.map((each) => ({ ...each, place: 1 })) })).toContain('used twice')
  expect(await faultOf({ accounts: books.accounts.slice(1) })).toBe('the leaves of USDT are not all of its users')
  expect(await faultOf({ format: 'other' })).toContain('not clearwell books 1')
  const large = { hash: new Uint8Array(32), sum: 2n ** 127n }
  await expect(nodeOf(large, large)).rejects.toThrow('does not fit into 128 bits')
})

test('the header hash equals the vector', () => {
  expect(hashHeader(vectors.header, vectors.domain)).toBe(vectors.header.hash)
})

// By viem. The second fills exactly one block of the hash.
test.each([
  [0, '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
  [136, '0x7ce759f1ab7f9ce437719970c26b0a66ff11fe3e38e17df89cf5d29c7d7f807e'],
])('keccak of %i ascending bytes is exact', (length, hash) => {
  expect(toHex(keccak256(Uint8Array.from({ length }, (_, index) => index)))).toBe(hash)
})
