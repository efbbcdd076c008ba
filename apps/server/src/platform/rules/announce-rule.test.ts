import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { beforeEach, describe, expect, test } from 'vitest'
import { swapFees } from '../../domain/pools/swap-rules.ts'
import { performAction } from '../../testing/perform-action.ts'
import { ruleActions, storeFirstValues } from './announce-rule.ts'
import { createRules } from './ruled.ts'
import { ruleChanges } from './rules.tables.ts'

const CONFIG = { swap: { feeBps: 25, revenueBps: 8 } }
const START = new Date('2030-01-01T00:00:00Z')
const [announceRule, withdrawRule] = ruleActions([swapFees])

let ledger: MemoryLedger
beforeEach(() => {
  ledger = new MemoryLedger(START)
  ledger.execute(storeFirstValues([swapFees], CONFIG))
})

const announce = (feeBps: number, from?: string) =>
  performAction(ledger, announceRule, {
    rule: 'swap-fees',
    value: { feeBps, revenueBps: 8 },
    ...(from ? { from } : {}),
  })
const withdraw = (id: string) => performAction(ledger, withdrawRule, { id })
/** The fee by which a decision decides on a server with this configuration. */
const feeAt = (time: string, config = CONFIG) =>
  createRules({ db: {} as never, clock: { now: () => START }, config })
    .of(swapFees)
    .in(ledger, new Date(time)).feeBps
const startOf = (id: string) => ledger.row(ruleChanges, id)?.starts_at.toISOString()

describe('a higher fee', () => {
  test('starts a week after its announcement, to the millisecond', () => {
    expect(announce(30)).toMatchObject({ isDone: true })
    expect(startOf('swap-fees-1')).toBe('2030-01-08T00:00:00.000Z')
    expect([feeAt('2030-01-07T23:59:59.999Z'), feeAt('2030-01-08T00:00:00Z')]).toEqual([25, 30])
  })

  test('is refused by its code when it would start earlier', () => {
    expect(announce(30, '2030-01-07T23:59:59.999Z')).toEqual({
      isDone: false,
      text: 'notice_too_short: the earliest start of this change is 2030-01-08T00:00:00.000Z',
    })
    expect([feeAt('2031-01-01T00:00:00Z'), ledger.rows(ruleChanges)]).toEqual([25, []])
  })

  test('needs notice against every value that is announced before it', () => {
    announce(10)
    ledger.advance(3_600)
    // The same as the first fee, and still more than the one in force.
    expect(announce(25, '2030-01-07T00:00:00Z').text).toContain('notice_too_short')
    expect(announce(25)).toMatchObject({ isDone: true })
    expect([feeAt('2030-01-08T00:59:59Z'), feeAt('2030-01-08T01:00:00Z')]).toEqual([10, 25])
  })
})

test('a lower fee starts immediately, and does not overtake', () => {
  expect(announce(20)).toMatchObject({ isDone: true })
  expect([feeAt('2030-01-01T00:00:00Z'), startOf('swap-fees-1')]).toEqual([20, '2030-01-01T00:00:00.000Z'])
  announce(40)
  // Lower than both, but the higher one is announced for later: it would take effect after it.
  announce(15)
  expect(startOf('swap-fees-3')).toBe('2030-01-08T00:00:00.000Z')
})

test('less revenue of the same fee needs notice', () => {
  const value = { feeBps: 20, revenueBps: 1 }
  expect(performAction(ledger, announceRule, { rule: 'swap-fees', value }).text).toContain('It can worsen a position')
})

test('a stored value counts on a server with another configuration file', () => {
  const other = { swap: { feeBps: 99, revenueBps: 9 } }
  expect(feeAt('2030-01-01T00:00:00Z', other)).toBe(25)
  expect(ledger.execute(storeFirstValues([swapFees], other))).toEqual({ stored: [] })
  expect(feeAt('2030-01-01T00:00:00Z', other)).toBe(25)
})

describe('a withdrawn change', () => {
  test('never starts, and the ones around it stay', () => {
    announce(30)
    announce(35)
    expect(withdraw('swap-fees-1')).toEqual({ isDone: true, text: 'swap-fees-1 is withdrawn.' })
    expect(feeAt('2030-01-08T00:00:00Z')).toBe(35)
    expect(withdraw('swap-fees-2').isDone).toBe(true)
    expect(feeAt('2031-01-01T00:00:00Z')).toBe(25)
    expect(ledger.row(ruleChanges, 'swap-fees-2')?.withdrawn_at).toEqual(START)
  })

  test.each([
    ['it is in force', 7 * 86_400, 'already_started'],
    ['it was withdrawn', 0, 'already_withdrawn'],
  ])('is refused when %s', (_what, seconds, code) => {
    announce(30)
    if (seconds === 0) withdraw('swap-fees-1')
    ledger.advance(seconds)
    expect(withdraw('swap-fees-1').text).toContain(code)
  })
})

test.each([
  ['an unknown rule', { rule: 'swap', value: 1 }, 'unknown_rule'],
  ['a value of another form', { rule: 'swap-fees', value: { feeBps: '30', revenueBps: 8 } }, 'invalid_value'],
  ['revenue above the fee', { rule: 'swap-fees', value: { feeBps: 5, revenueBps: 8 } }, 'invalid_value'],
  ['the value that it has', { rule: 'swap-fees', value: { revenueBps: 8, feeBps: 25 } }, 'unchanged'],
])('%s is refused and stores nothing', (_what, payload, code) => {
  const result = performAction(ledger, announceRule, payload)
  expect([result.isDone, result.text.split(':')[0]]).toEqual([false, code])
  expect(ledger.rows(ruleChanges)).toEqual([])
})
