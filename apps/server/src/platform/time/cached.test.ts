import { beforeEach, expect, test } from 'vitest'
import { type Cached, cached } from './cached.ts'

let nowMs: number
let reads: string[]
let values: Cached<string, string>
beforeEach(() => {
  nowMs = 1_000_000
  reads = []
  values = cached({
    async read(key: string) {
      reads.push(key)
      if (key === 'broken') throw new Error('broken')
      return `${key} at ${nowMs}`
    },
    maxAgeMs: 250,
    clock: { now: () => new Date(nowMs) },
  })
})

test('a key is read once within the maximum age, for all callers', async () => {
  await Promise.all([values.get('a'), values.get('a')])
  nowMs += 249
  await values.get('a')
  await values.get('b')
  expect(reads).toEqual(['a', 'b'])
  nowMs += 1
  expect(await values.get('a')).toBe('a at 1000250')
})

test('a clock that moves back makes a value too old', async () => {
  await values.get('a')
  nowMs -= 3_600_000
  await values.get('a')
  expect(reads).toEqual(['a', 'a'])
})

test('a dropped value is read again', async () => {
  await values.get('a')
  values.drop()
  await values.get('a')
  expect(reads).toEqual(['a', 'a'])
})

test('a failure is not kept', async () => {
  await expect(values.get('broken')).rejects.toThrow('broken')
  await expect(values.get('broken')).rejects.toThrow('broken')
  expect(reads).toEqual(['broken', 'broken'])
})

test('a late failure does not drop a newer value', async () => {
  const first = Promise.withResolvers<string>()
  const responses = [first.promise, Promise.resolve('second')]
  const slow = cached({
    read: () => responses.shift() as Promise<string>,
    maxAgeMs: 250,
    clock: { now: () => new Date(nowMs) },
  })
  const failing = slow.get('a')
  nowMs += 250
  expect(await slow.get('a')).toBe('second')
  first.reject(new Error('late'))
  await expect(failing).rejects.toThrow('late')
  expect(await slow.get('a')).toBe('second')
})
