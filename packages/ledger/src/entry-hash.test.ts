import { expect, test } from 'vitest'
import { entryHash, GENESIS_HASH } from './entry-hash.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const first = {
  seq: 1n,
  kind: 'deposit',
  at: new Date('2026-11-22T00:00:00Z'),
  reference: '0xé',
  postings: [
    { account: 'vault', asset: 'USDT', units: -5n },
    { account: 'user:ann:available', asset: 'USDT', units: 5n },
  ],
}
const second = {
  seq: 2n,
  kind: 'transfer',
  at: new Date('2026-11-22T00:00:01Z'),
  reference: 'r',
  postings: [
    { account: 'user:ann:available', asset: 'USDT', units: -2n },
    { account: 'rewards', asset: 'USDT', units: 2n },
  ],
}

// Source: Python's hashlib on 32 bytes of zero and the text in UTF-8.
const FIRST = '2cd8d15bcf3e3f0a6492aff37a4a6a33e8c0538ef53f175fd01548a82e2e3087'
const SECOND = '06ecd2f8791f08167d5aae3572cd913d44625b9d8d9680616444bfd59b77ab36'

test('an entry is hashed with the hash of the one before', () => {
  const hash = entryHash(GENESIS_HASH, first)
  expect(hex(hash)).toBe(FIRST)
  expect(hex(entryHash(hash, second))).toBe(SECOND)
})
