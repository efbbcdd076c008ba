import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { textOf } from '../../../testing/facts.ts'
import { FAILED_CHECK, KEPT_CHECK } from './balance.samples.ts'
import { BalanceOutcome } from './balance-outcome.tsx'
import type { Outcome } from './decide-outcome.ts'
import type { FailedCheck } from './kept-check.ts'
import type { CheckState } from './run-check.ts'
import { stepsOf } from './shown-steps.ts'

function htmlOf(outcome: Outcome | undefined, failure?: FailedCheck, kept = KEPT_CHECK): string {
  showLocale('en')
  const state: CheckState = outcome ? { status: 'done', owner: '0x', steps: [], outcome } : { status: 'idle' }
  return renderToString(<BalanceOutcome state={state} failure={failure} kept={kept} />).replaceAll('<!-- -->', '')
}

test('a balance that holds names its header', () => {
  expect(textOf(htmlOf({ kind: 'holds' }))).toBe(
    'Your balance holds It is in header 1,234 of 1 Jan 2030 00:00, which the operator’s key has signed. Your log adds up to it.',
  )
})

test('a balance whose older rows are archived says so', () => {
  const kept = { ...KEPT_CHECK, archivedUntil: '2028-11-30T05:00:00.000Z' }
  expect(textOf(htmlOf({ kind: 'holds' }, undefined, kept))).toContain(
    'Your log adds up to it. The log begins after 30 Nov 2028: older entries are in an archive, so this check did not read them.',
  )
})

test.each([
  ['2030-01-01T08:20:30.000Z', '09:00'],
  ['2030-01-01T22:59:59.000Z', '23:00'],
  ['2030-01-01T23:00:00.000Z', '00:00'],
])('a balance that no header has at %s is expected after %s', (now, time) => {
  vi.useFakeTimers({ now: new Date(now) })
  const text = textOf(htmlOf({ kind: 'unknown', reason: 'not_yet' }))
  vi.useRealTimers()
  expect(text).toBe(
    `Not in the books yet This hour’s header was made before your first entry. The next one, made soon after ${time}, contains your balance.`,
  )
})

test('only a wrong step is an alert', () => {
  expect(htmlOf({ kind: 'broken', fault: 'rows' })).toMatch(/role="alert".*Your log does not add up/)
  for (const reason of ['offline', 'nothing', 'no_proof'] as const)
    expect(htmlOf({ kind: 'unknown', reason })).not.toContain('role="alert"')
})

test('an account without a balance gets no warning', () => {
  expect(htmlOf({ kind: 'unknown', reason: 'nothing' })).not.toContain('text-warn')
  expect(htmlOf({ kind: 'unknown', reason: 'not_posted' })).not.toContain('text-warn')
  expect(htmlOf({ kind: 'unknown', reason: 'no_proof' })).toContain('text-warn')
  expect(htmlOf({ kind: 'unknown', reason: 'offline' })).toContain('text-warn')
})

test('an earlier failure stays beside a later outcome', () => {
  expect(htmlOf({ kind: 'holds' }, FAILED_CHECK)).toMatch(/your balance did not hold.*Your balance holds/)
  expect(htmlOf(undefined, FAILED_CHECK)).toContain('not in the header it names')
})

test('the steps show what is done, running, wrong and left', () => {
  const steps = [
    { name: 'leaves', state: 'right' },
    { name: 'path', state: 'wrong', fault: 'path', detail: '' },
  ] as const
  const shown = stepsOf({ status: 'running', owner: '0x', steps })
  expect(shown.map(({ state }) => state)).toEqual(['done', 'failed', 'now', 'todo', 'todo', 'todo'])
})
