import { beforeEach, expect, test } from 'vitest'
import { TokenBuckets } from './token-buckets.ts'

let nowMs: number
beforeEach(() => {
  nowMs = 1_000_000
})

const bucketsOf = (capacity: number, maxKeys?: number) =>
  new TokenBuckets({ capacity, refillMs: 60_000, nowMs: () => nowMs, ...(maxKeys === undefined ? {} : { maxKeys }) })

const takeAll = (buckets: TokenBuckets, key: string) => {
  let taken = 0
  while (buckets.take(key).isTaken) taken++
  return taken
}

test('a bucket gives its capacity at most, and refills evenly', () => {
  const buckets = bucketsOf(6)
  expect(takeAll(buckets, 'a')).toBe(6)
  expect(buckets.take('a')).toEqual({ isTaken: false, left: 0, waitMs: 10_000, fullMs: 60_000 })
  nowMs += 9_999
  expect(buckets.take('a').isTaken).toBe(false)
  nowMs += 1
  expect(takeAll(buckets, 'a')).toBe(1)
  nowMs += 3_600_000
  expect(takeAll(buckets, 'a')).toBe(6)
})

test('each key has its own bucket', () => {
  const buckets = bucketsOf(2)
  expect(takeAll(buckets, 'a')).toBe(2)
  expect(takeAll(buckets, 'b')).toBe(2)
})

test('a token that is given back can be taken again', () => {
  const buckets = bucketsOf(2)
  buckets.giveBack('a')
  expect(takeAll(buckets, 'a')).toBe(2)
  buckets.giveBack('a')
  expect(takeAll(buckets, 'a')).toBe(1)
})

test('memory is bounded, and keys in use are kept', () => {
  const buckets = bucketsOf(2, 100)
  expect(takeAll(buckets, 'busy')).toBe(2)
  for (let key = 0; key < 1_000; key++) {
    buckets.take(`other ${key}`)
    expect(buckets.take('busy').isTaken).toBe(false)
  }
  expect(buckets.size).toBe(100)
})
