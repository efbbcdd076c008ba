import { expect, test } from 'vitest'
import { outcomeOf } from './swap-outcome.ts'

const DEADLINE = '2030-01-01T00:20:00.000Z'
const deadlineMs = Date.parse(DEADLINE)

const found = (status: 'pending' | 'completed' | 'failed') => ({
  found: { transaction_id: 'a', status, amount_in: '1', amount_out: '2', fee: '0' },
  times: 0,
})
const notFound = (times: number, askedAtMs?: number) => ({ found: undefined, times, askedAtMs })

test('a swap that is found is what the server says of it', () => {
  const outcomes = [found('completed'), found('failed'), found('pending')].map((seen) => outcomeOf(seen, DEADLINE))
  expect(outcomes).toEqual(['completed', 'failed', 'checking'])
})

test('it is only said not to be there once it was not found several times', () => {
  const outcomes = [undefined, ...[1, 2, 3].map((times) => notFound(times, deadlineMs - 60_000))]
  expect(outcomes.map((seen) => outcomeOf(seen, DEADLINE))).toEqual(['checking', 'checking', 'checking', 'not_yet'])
})

test('however often it was not found, until its deadline it may still happen', () => {
  for (const askedAtMs of [undefined, deadlineMs - 1, deadlineMs, deadlineMs + 5_000])
    expect(outcomeOf(notFound(1_000, askedAtMs), DEADLINE)).toBe('not_yet')
})

test('asked after its deadline and not found, it cannot happen any more', () => {
  expect(outcomeOf(notFound(1, deadlineMs + 5_001), DEADLINE)).toBe('never')
})
