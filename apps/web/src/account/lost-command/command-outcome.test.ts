import { expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { outcomeOf } from './command-outcome.ts'

const DAY_MS = 86_400_000
const TIME = '2030-02-01T00:00:00.000Z'
const nowMs = Date.parse(TIME)
const EMPTY = { code: null, msg: null, data: null, expires_at: null, retention_days: 30, time: TIME }

const unknown = (times: number) => ({ found: { ...EMPTY, state: 'unknown' as const }, times })
const done = (code: number, data: unknown) => ({
  found: { ...EMPTY, state: 'done' as const, code, msg: 'a message', data },
  times: 0,
})
const sent = { payload: {}, sentAtMs: nowMs - 1_000 }
const until = (ms: number) => ({ ...sent, payload: { deadline: new Date(nowMs + ms).toISOString() } })

test.each([
  ['checking before the first lookup', undefined, sent, { name: 'checking' }],
  ['done with its response', done(1, { order: '1' }), sent, { name: 'done', response: { order: '1' } }],
  ['refused with its code', done(20001, { need: '1' }), sent, { name: 'refused', refusal: expect.any(ApiError) }],
  [
    'checking while the server handles it',
    { found: { ...EMPTY, state: 'pending' }, times: 0 },
    sent,
    { name: 'checking' },
  ],
  ['checking after two misses', unknown(2), sent, { name: 'checking' }],
  ['not arrived after three misses', unknown(3), sent, { name: 'not_arrived' }],
  ['not arrived just before its deadline', unknown(3), until(1), { name: 'not_arrived' }],
  ['not arrived where a delayed server may still execute it', unknown(3), until(-5_000), { name: 'not_arrived' }],
  ['too late after its deadline, at the first miss', unknown(1), until(-5_001), { name: 'too_late' }],
  ['done even after its deadline', done(1, {}), until(-60_000), { name: 'done', response: {} }],
] as const)('a command is %s', (_what, seen, command, outcome) => {
  expect(outcomeOf(seen, command as never)).toEqual(outcome)
})

test('a refusal has the code, message and data of the server', () => {
  const { refusal } = outcomeOf(done(20001, { need: '1' }), sent) as { refusal: ApiError }
  expect([refusal.codeName, refusal.message, refusal.data]).toEqual(['balance_not_enough', 'a message', { need: '1' }])
})

test.each([
  ['within the retention of responses', 29 * DAY_MS, 'not_arrived'],
  ['so old that the server may have forgotten it', 30 * DAY_MS - 3_599_000, 'unknown'],
  ['older than the retention', 40 * DAY_MS, 'unknown'],
])('a command that the server does not know, %s, has its outcome', (_what, ageMs, name) => {
  expect(outcomeOf(unknown(3), { payload: {}, sentAtMs: nowMs - ageMs }).name).toBe(name)
})

test('a command of an unknown time is never sent again', () => {
  expect(outcomeOf(unknown(3), { payload: {}, sentAtMs: null })).toEqual({ name: 'unknown', days: 30 })
})
