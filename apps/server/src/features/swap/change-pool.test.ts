import { beforeEach, describe, expect, test } from 'vitest'
import { needsOf } from '../../platform/operator/operator-action.ts'
import { performAction } from '../../testing/perform-action.ts'
import { START, SwapLedger } from '../../testing/swap-ledger.ts'
import { changePool, changePoolByOperator, type PoolChange } from './change-pool.ts'
import { poolEvents, swapPools } from './swap.tables.ts'

let ledger: SwapLedger
beforeEach(() => {
  ledger = new SwapLedger()
})

const change = (kind: PoolChange['kind'], by: PoolChange['by'], poolId = 'bnb-usdt') =>
  ledger.execute(changePool({ poolId, kind, by, detail: 'x' })).outcome
const pool = () => ledger.row(swapPools, 'bnb-usdt')
const events = () => ledger.rows(poolEvents).map((each) => `${each.kind} by ${each.changed_by}: ${each.detail}`)
/** A pool that an earlier version suspended for its price. */
const suspendByRule = () =>
  ledger.put(swapPools, {
    ...pool()!,
    suspended_at: START,
    suspended_reason: 'price_deviation',
    suspended_by: 'rule',
  })

describe('the operator', () => {
  test('suspends and resumes a pool, with an event for each', () => {
    expect(change('suspended', 'operator')).toBe('changed')
    expect(pool()).toMatchObject({ suspended_at: START, suspended_reason: 'operator', suspended_by: 'operator' })
    expect(change('resumed', 'operator')).toBe('changed')
    expect(pool()).toMatchObject({ suspended_at: null, suspended_reason: null, suspended_by: null })
    expect(events()).toEqual(['suspended by operator: x', 'resumed by operator: x'])
  })

  test('changes nothing twice, and no unknown pool', () => {
    expect(change('resumed', 'operator')).toBe('unchanged')
    change('suspended', 'operator')
    ledger.advance(60)
    expect(change('suspended', 'operator')).toBe('unchanged')
    expect(pool()).toMatchObject({ suspended_at: START })
    expect(change('suspended', 'operator', 'doge-usdt')).toBe('unknown_pool')
    expect(events()).toHaveLength(1)
  })

  test('takes over the suspension of the rule since its beginning', () => {
    suspendByRule()
    ledger.advance(60)
    expect(change('suspended', 'operator')).toBe('changed')
    expect(pool()).toMatchObject({ suspended_at: START, suspended_reason: 'operator', suspended_by: 'operator' })
  })
})

describe('the rule', () => {
  test('resumes the pool that it suspended', () => {
    suspendByRule()
    expect(change('resumed', 'rule')).toBe('changed')
    expect(pool()).toMatchObject({ suspended_at: null, suspended_by: null })
    expect(events()).toEqual(['resumed by rule: x'])
  })

  test('never resumes the pool that the operator suspended', () => {
    change('suspended', 'operator')
    expect(change('resumed', 'rule')).toBe('unchanged')
    expect(pool()).toMatchObject({ suspended_by: 'operator' })
  })
})

test('an action of the operator says the old and the new state', () => {
  const act = (poolId: string) =>
    performAction(ledger, changePoolByOperator, { pool: poolId, kind: 'suspended', detail: 'x' })
  const change = { before: 'trades', after: 'suspended' }
  expect(act('bnb-usdt')).toEqual({ isDone: true, text: 'bnb-usdt is suspended.', change })
  expect(act('bnb-usdt')).toEqual({ isDone: true, text: 'bnb-usdt was already suspended: nothing changed.' })
  expect(act('doge-usdt')).toEqual({ isDone: false, text: 'There is no pool "doge-usdt".' })
  expect(events()).toEqual(['suspended by operator: x'])
})

test('an action of the operator resumes, by two persons', () => {
  const act = (kind: string) => performAction(ledger, changePoolByOperator, { pool: 'bnb-usdt', kind, detail: 'x' })
  expect(act('resumed')).toEqual({ isDone: true, text: 'bnb-usdt was already resumed: nothing changed.' })
  suspendByRule()
  const takenOver = { before: 'suspended', after: 'suspended' }
  expect(act('suspended')).toEqual({ isDone: true, text: 'bnb-usdt is suspended.', change: takenOver })
  const change = { before: 'suspended', after: 'trades' }
  expect(act('resumed')).toEqual({ isDone: true, text: 'bnb-usdt is resumed.', change })
  expect(pool()).toMatchObject({ suspended_at: null })
  const personsFor = (kind: string) => needsOf(changePoolByOperator, { pool: 'bnb-usdt', kind, detail: 'x' })
  expect([personsFor('suspended'), personsFor('resumed')]).toEqual([
    { role: 'risk', persons: 1 },
    { role: 'risk', persons: 2 },
  ])
})
