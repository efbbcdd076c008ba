import { expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { outcomeOf, pendingStageOf } from './swap-status.ts'

const DEADLINE = '2030-01-01T00:20:00.000Z'
const deadlineMs = Date.parse(DEADLINE)

const found = (status: 'pending' | 'completed' | 'failed') => ({
  found: { transaction_id: 'a', status, amount_in: '1', amount_out: '2', fee: '0' },
  times: 0,
})
const notFound = (times: number, lookedUpAtMs?: number) => ({ found: undefined, times, lookedUpAtMs })

test("a found swap has the server's status", () => {
  const outcomes = [found('completed'), found('failed'), found('pending')].map((seen) => outcomeOf(seen, DEADLINE))
  expect(outcomes).toEqual(['completed', 'failed', 'checking'])
})

test('reports a missing swap only after several lookups', () => {
  const outcomes = [undefined, ...[1, 2, 3].map((times) => notFound(times, deadlineMs - 60_000))]
  expect(outcomes.map((seen) => outcomeOf(seen, DEADLINE))).toEqual(['checking', 'checking', 'checking', 'not_yet'])
})

test('a missing swap may still happen until its deadline', () => {
  for (const lookedUpAtMs of [undefined, deadlineMs - 1, deadlineMs, deadlineMs + 5_000])
    expect(outcomeOf(notFound(1_000, lookedUpAtMs), DEADLINE)).toBe('not_yet')
})

test('a swap missing after its deadline never happens', () => {
  expect(outcomeOf(notFound(1, deadlineMs + 5_001), DEADLINE)).toBe('never')
})

const refusal = new ApiError(20001, 'Balance not enough', null)
const { found: completed } = found('completed')
const { found: failed } = found('failed')
const lookup = {
  executed: undefined,
  refusal: undefined,
  outcome: 'checking',
  found: undefined,
  lookupError: null,
  isSwapping: false,
  signedIn: true,
} as const
const lost = new Error('lost')

test.each([
  ['the swap was sent again and executed', { executed: completed }, { name: 'done', result: completed }],
  ['the lookup finds it executed', { outcome: 'completed', found: completed }, { name: 'done', result: completed }],
  ['the server refused it when sent again', { refusal, outcome: 'not_yet' }, { name: 'refused', refusal }],
  ['the lookup finds it failed', { outcome: 'failed', found: failed }, { name: 'failed', reason: undefined }],
  ['the server does not know it yet', { outcome: 'not_yet' }, { name: 'not_yet' }],
  ['its deadline has passed', { outcome: 'never' }, { name: 'never' }],
  ['the session has expired', { signedIn: false }, { name: 'signed_out' }],
  ['it is being sent again', { isSwapping: true, outcome: 'not_yet', lookupError: lost }, { name: 'sending' }],
  ['the lookup failed', { lookupError: lost }, { name: 'unreachable', error: lost }],
  ['the lookup is in progress', {}, { name: 'checking' }],
] as const)('a pending swap shows its stage when %s', (_when, change, stage) => {
  expect(pendingStageOf({ ...lookup, ...change })).toEqual(stage)
})
