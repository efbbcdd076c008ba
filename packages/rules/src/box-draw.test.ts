import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commitmentOf, drawFactor, drawRuleOf, drawTicket, factorOfTicket, type HmacSha256, toHex } from './box-draw.ts'
import { DEFAULT_BOX_RULES } from './box-rules.ts'
import { drawByDefinition } from './testing/box-day-by-definition.ts'

const sha256 = (message: Uint8Array) => createHash('sha256').update(message).digest()
const hmacSha256: HmacSha256 = (key, message) => createHmac('sha256', key).update(message).digest()

const { odds } = DEFAULT_BOX_RULES
const seed = Uint8Array.from({ length: 32 }, (_, index) => index)
const blockHash = '0x957d9d880944a8c21a12777568583de6bd5dad36675e405b6bab102aac4ac8f2'

test('a commitment is the hash of the bytes of the seed', () => {
  // Source: sha256sum.
  const hash = '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd'
  expect(toHex(commitmentOf(seed, sha256))).toBe(hash)
  expect(() => commitmentOf(seed.slice(1), sha256)).toThrow(RangeError)
})

describe('drawFactor', () => {
  // Source: openssl dgst -mac HMAC and shell arithmetic, as docs/concepts/draw.md shows.
  test.each([
    ['00000000000000000000000000000000', 21, 1],
    ['0123456789abcdef0123456789abcdef', 48, 1],
    ['ffffffffffffffffffffffffffffffff', 95, 5],
    ['0000000000000000000000000000009a', 99, 10],
    ['0000000000000000000000000310fa3b', 93, 3],
  ])('draws box %s with ticket %i', (boxId, ticket, factor) => {
    expect(drawTicket({ seed, blockHash, boxId }, hmacSha256)).toBe(ticket)
    expect(drawFactor({ seed, blockHash, boxId }, odds, hmacSha256)).toBe(factor)
  })

  test('takes the second number when the first is above the limit', () => {
    const boxId = '0000000000000000000000000310fa3b'
    const digest = hmacSha256(seed, Buffer.from(blockHash + boxId))
    expect(toHex(digest).slice(0, 16)).toBe('ffffffc9bb9f4891')
    expect(drawTicket({ seed, blockHash, boxId }, hmacSha256)).toBe(0xbb_9f_48_91 % 100)
  })

  test('hashes the digest again when every number is above the limit', () => {
    const boxId = '0'.repeat(32)
    const full = Buffer.alloc(32, 0xff)
    const messages: string[] = []
    const digests = [full, Buffer.concat([full.subarray(4), Buffer.of(0, 0, 0, 99)])]
    const fake: HmacSha256 = (_key, message) => {
      messages.push(Buffer.from(message).toString())
      return digests.shift() as Buffer
    }
    expect(drawTicket({ seed, blockHash, boxId }, fake)).toBe(99)
    expect(messages).toEqual([blockHash + boxId, 'f'.repeat(64)])
  })

  test.each([
    [0xff_ff_ff_9f, 99],
    [0xff_ff_ff_a0, 7],
    [0, 0],
  ])('reads the number %i below the limit only', (word, ticket) => {
    const digest = Buffer.alloc(32)
    digest.writeUInt32BE(word)
    digest.writeUInt32BE(7, 4)
    expect(drawTicket({ seed, blockHash, boxId: '0'.repeat(32) }, () => digest)).toBe(ticket)
  })

  test('agrees with its definition for any box', () => {
    const anySeed = fc.uint8Array({ minLength: 32, maxLength: 32 })
    const anyId = fc.stringMatching(/^[0-9a-f]{32}$/)
    fc.assert(
      fc.property(anySeed, anyId, (each, boxId) => {
        const factor = drawFactor({ seed: each, blockHash, boxId }, odds, hmacSha256)
        expect(factor).toBe(drawByDefinition(each, blockHash, boxId))
      }),
    )
  })

  test.each([
    { seed: seed.slice(1) },
    { blockHash: blockHash.slice(2) },
    { blockHash: blockHash.toUpperCase() },
    { blockHash: `${blockHash}0` },
    { blockHash: ` ${blockHash}` },
    { boxId: '' },
    { boxId: '0'.repeat(33) },
    { boxId: '0123456789ABCDEF0123456789abcdef' },
    { boxId: '0123456789abcdef0123456789abcde' },
  ])('throws for an input of another form: %o', (change) => {
    const draw = { seed, blockHash, boxId: '0'.repeat(32), ...change }
    expect(() => drawFactor(draw, odds, hmacSha256)).toThrow(RangeError)
  })
})

test('the tickets of each factor are as many as its percentage', () => {
  const counts = new Map<number, number>()
  for (let ticket = 0; ticket < 100; ticket += 1) {
    const factor = factorOfTicket(ticket, odds)
    counts.set(factor, (counts.get(factor) ?? 0) + 1)
  }
  // Source: product rule "Blind box and node".
  expect([...counts]).toEqual([
    [1, 60],
    [2, 25],
    [3, 10],
    [5, 4],
    [10, 1],
  ])
})

test.each([-1, 100, 0.5, Number.NaN])('ticket %s is none', (ticket) => {
  expect(() => factorOfTicket(ticket, odds)).toThrow(RangeError)
})

test.each<[string, boolean, string | undefined, number, string]>([
  ['committed at its first moment', true, '2026-11-22T00:00:00+08:00', 1, 'table'],
  ['committed a millisecond late', true, '2026-11-22T00:00:00.001+08:00', 1, 'flat'],
  ['not committed', true, undefined, 1, 'flat'],
  ['of an operator that may not draw', false, '2026-11-21T00:00:00+08:00', 1, 'flat'],
  ['without boxes', true, '2026-11-21T00:00:00+08:00', 0, 'flat'],
])('a day %s has its rule', (_name, allowsDraws, committed, boxes, rule) => {
  const committedAt = committed === undefined ? undefined : new Date(committed)
  expect(drawRuleOf('2026-11-22', { allowsDraws, committedAt, boxes })).toBe(rule)
})
