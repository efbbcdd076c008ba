import { expect, test } from 'vitest'
import { summarize } from './statistics.ts'
import type { Strategy } from './strategy.ts'

const E18 = 10n ** 18n
const strategy = (holds: Strategy['holds']): Strategy => ({
  name: 'test',
  about: '',
  capital: '',
  bound: '0',
  holds,
  run: () => ({ gain: 0n, bound: 0n }),
})
const runs = (...gains: number[]) => gains.map((gain) => ({ gain: BigInt(gain) * E18, bound: 0n }))

test('one run beyond its bound breaks a bound of every run', () => {
  expect(summarize(strategy('always'), runs(-5, -5, 1))).toMatchObject({ holds: false, worst: 1, mean: -3 })
  expect(summarize(strategy('always'), runs(-5, 0))).toMatchObject({ holds: true, worst: 0 })
})

test('a mean within the confidence interval of its bound holds', () => {
  expect(summarize(strategy('mean'), runs(-10, 11, -9, 12)).holds).toBe(true)
  expect(summarize(strategy('mean'), runs(10, 11, 9, 12)).holds).toBe(false)
})

test('a single run of a mean breaks its bound without an interval', () => {
  expect(summarize(strategy('mean'), runs(1)).holds).toBe(false)
  expect(summarize(strategy('mean'), runs(-1)).holds).toBe(true)
})
