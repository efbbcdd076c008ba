import { expect, test } from 'vitest'
import { cleanHash, isHash, retrieveOutcome } from './retrieve-sheet.tsx'

test.each([
  [{ status: 'credited' }, 'credited'],
  [{ status: 'pending' }, 'pending'],
  [{ status: 'already' }, 'already'],
  [{ status: 'not_found' }, 'not_found'],
  [{ status: 'not_found', reason: 'not_ours' }, 'not_ours'],
  [{ status: 'not_found', reason: 'failed_on_chain' }, 'failed_on_chain'],
  [{ status: 'credited', reason: 'sender_credited' }, 'sender_credited'],
  [{ status: 'already', reason: 'sender_credited' }, 'sender_credited'],
  [{ status: 'pending', reason: 'sender_credited' }, 'sender_pending'],
] as const)('reads the response %o as %s', (response, outcome) => {
  expect(retrieveOutcome(response)).toBe(outcome)
})

const hash = `0x${'aB'.repeat(32)}`

test.each([
  [` ${hash}\n`, hash],
  [`https://bscscan.com/tx/${hash}#eventlog`, hash],
  [`${hash}00`, `${hash}00`],
  ['0x12', '0x12'],
])('reads a pasted %j as %j', (pasted, cleaned) => {
  expect(cleanHash(pasted)).toBe(cleaned)
})

test('accepts a hash of exactly 64 hex characters', () => {
  expect(isHash(hash)).toBe(true)
  expect(isHash(`${hash}00`)).toBe(false)
  expect(isHash(hash.slice(2))).toBe(false)
})
