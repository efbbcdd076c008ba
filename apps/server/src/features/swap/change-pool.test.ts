import { beforeEach, describe, expect, test } from 'vitest'
import { START, SwapLedger } from '../../testing/swap-ledger.ts'
import { changePool, executePoolRequest, type PoolChange } from './change-pool.ts'
import { poolEvents, poolRequests, swapPools } from './swap.tables.ts'

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

test("executing the operator's request marks it as done in any case", () => {
  for (const pool_id of ['bnb-usdt', 'doge-usdt']) {
    const request = { id: `request-${pool_id}`, pool_id, kind: 'suspended', detail: 'x', asked_at: START } as const
    const command = executePoolRequest(request)
    // Several servers execute it once.
    expect([command.owner, command.key]).toEqual(['operator', request.id])
    ledger.execute(command)
    expect(ledger.row(poolRequests, request.id)).toEqual({ ...request, done_at: START })
  }
  expect(events()).toEqual(['suspended by operator: x'])
})
