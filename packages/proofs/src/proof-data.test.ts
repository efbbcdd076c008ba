import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Hex } from './bytes.ts'
import { chainProofData, NO_PROOF_DATA, openRecords, type ProofRecord, quarterOf, sealRecords } from './proof-data.ts'

const KEY = Buffer.alloc(32, 7)
const records = fc.array(
  fc.record({
    asset: fc.nat(3),
    place: fc.nat(2 ** 20 - 1),
    hash: fc.bigInt(0n, 2n ** 256n - 1n).map((value): Hex => `0x${value.toString(16).padStart(64, '0')}`),
    sum: fc.bigInt(0n, 2n ** 128n - 1n),
  }),
  { maxLength: 5 },
)
const RECORD: ProofRecord = { asset: 1, place: 9, hash: `0x${'ab'.repeat(32)}`, sum: 5n }

test('a block opens with its key and is the same each time', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 64n - 1n), records, (number, list) => {
      const block = sealRecords(KEY, number, list)
      expect(openRecords(KEY, block)).toEqual({ number, records: list })
      expect(sealRecords(KEY, number, list)).toEqual(block)
      expect(block.length).toBe(8 + 12 + 53 * list.length + 16)
    }),
  )
})

test('other records or another number never share a nonce', () => {
  const nonceOf = (number: bigint, sum: bigint) => sealRecords(KEY, number, [{ ...RECORD, sum }]).toString('hex', 8, 20)
  expect(new Set([nonceOf(1n, 5n), nonceOf(2n, 5n), nonceOf(1n, 6n)]).size).toBe(3)
})

test('a changed byte or another key is rejected', () => {
  const block = sealRecords(KEY, 7n, [RECORD])
  for (let index = 0; index < block.length; index++) {
    const changed = Buffer.from(block)
    changed[index] = (changed[index] as number) ^ 1
    expect(() => openRecords(KEY, changed), `byte ${index}`).toThrow()
  }
  expect(() => openRecords(Buffer.alloc(32, 8), block)).toThrow()
  expect(() => openRecords(KEY, block.subarray(0, 30))).toThrow('too short')
})

test('the hash chain covers every block and their order', () => {
  const blocks = [sealRecords(KEY, 1n, [RECORD]), sealRecords(KEY, 2n, [])]
  const chain = blocks.reduce(chainProofData, NO_PROOF_DATA)
  const first = createHash('sha256')
    .update('0')
    .update(NO_PROOF_DATA)
    .update(blocks[0] as Buffer)
    .digest()
  const second = createHash('sha256')
    .update('0')
    .update(first)
    .update(blocks[1] as Buffer)
    .digest()
  expect(chain).toEqual(second)
  expect(blocks.toReversed().reduce(chainProofData, NO_PROOF_DATA)).not.toEqual(chain)
})

test.each([
  ['2026-12-31T23:59:59.999Z', '2026Q4'],
  ['2027-01-01T00:00:00.000Z', '2027Q1'],
])('the quarter of %s is %s', (time, quarter) => {
  expect(quarterOf(new Date(time))).toBe(quarter)
})
