import { expect, test } from 'vitest'
import type { Judgement } from './judge-readings.ts'
import { PriceRecovery } from './price-recovery.ts'

const TIME = new Date('2026-11-21T09:00:00Z')
const FRESH: Judgement = { state: 'fresh', lowE18: 9n, highE18: 11n, meanE18: 10n, time: TIME, goodUntil: TIME }
const APART: Judgement = { ...FRESH, state: 'apart' }
const ONE: Judgement = { state: 'one_source', priceE18: 5n, time: TIME }
const STALE: Judgement = { state: 'stale', priceE18: 5n, time: TIME }
const UNKNOWN: Judgement = { state: 'unknown', why: 'contradiction' }

function recovered(): PriceRecovery {
  const recovery = new PriceRecovery()
  recovery.look(FRESH)
  recovery.look(FRESH)
  return recovery
}

test('a price is unknown until two looks at the start', () => {
  const recovery = new PriceRecovery()
  expect(recovery.judge(FRESH).state).toBe('unknown')
  expect(recovery.look(FRESH)).toMatchObject({ state: 'unknown', isRecovering: true })
  expect(recovery.judge(FRESH).state).toBe('unknown')
  expect(recovery.look(FRESH)).toEqual(FRESH)
  expect(recovery.judge(FRESH)).toEqual(FRESH)
})

test('readings between looks never win a price back', () => {
  const recovery = new PriceRecovery()
  for (let reading = 0; reading < 50; reading++) expect(recovery.judge(FRESH).state).toBe('unknown')
})

test.each([
  ['one source', ONE, { state: 'one_source', priceE18: 10n }],
  ['stale sources', STALE, { state: 'stale', priceE18: 10n }],
  ['a contradiction', UNKNOWN, { state: 'unknown' }],
])('money waits for two looks after %s', (_name, lost, meanwhile) => {
  const recovery = recovered()
  expect(recovery.judge(lost)).toEqual(lost)
  expect(recovery.judge(FRESH)).toMatchObject(meanwhile)
  expect(recovery.look(FRESH)).toMatchObject(meanwhile)
  expect(recovery.look(APART)).toEqual(APART)
})

test('a loss between two looks starts the count again', () => {
  const recovery = recovered()
  recovery.look(ONE)
  recovery.look(FRESH)
  recovery.judge(UNKNOWN)
  expect(recovery.look(FRESH).state).toBe('unknown')
  expect(recovery.look(FRESH).state).toBe('fresh')
})

test('sources that part and meet again need no looks', () => {
  const recovery = recovered()
  expect(recovery.judge(APART)).toEqual(APART)
  expect(recovery.judge(FRESH)).toEqual(FRESH)
})
