import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Exit } from './exit.queries.ts'
import { NO_EXIT } from './exit.samples.ts'
import { paidSince, stepsOf, worksTexts } from './exit-steps.tsx'

beforeEach(() => showLocale('en'))
afterEach(() => showLocale('zh-HK'))

const OPEN: Exit = {
  ...NO_EXIT,
  state: 'open',
  requested_at: '2030-01-01T00:00:00.000Z',
  repay_until: '2030-01-06T00:00:00.000Z',
  base_at: '2030-01-07T00:00:00.000Z',
  ready_at: '2030-01-08T00:00:00.000Z',
  allowed: ['repay', 'add_collateral', 'cancel_transfer_out', 'cancel_exit'],
  next: { what: 'end_of_repaying', at: '2030-01-06T00:00:00.000Z' },
}
const PAID = { asset: 'USDT' as const, amount: '5', receiver: '0xc', tx_hash: '0x1' }

const statesOf = (exit: Partial<Exit>) => stepsOf({ ...OPEN, ...exit }).map(({ state }) => state)

test.each<[string, Partial<Exit>, string[]]>([
  ['requested', { state: 'requested' }, ['now', 'todo', 'todo', 'todo']],
  ['open', {}, ['done', 'todo', 'todo', 'todo']],
  ['open with its amount fixed', { next: { what: 'ready', at: null } }, ['done', 'done', 'todo', 'todo']],
  ['ready', { state: 'ready' }, ['done', 'done', 'done', 'todo']],
  ['cancelled', { state: 'cancelling' }, ['done', 'todo', 'todo', 'now']],
])('shows the steps of an exit that is %s', (_name, exit, states) => {
  expect(statesOf(exit)).toEqual(states)
})

test.each<[Partial<Exit>, string, string]>([
  [{}, 'You collect it', 'From 8 Jan 2030 00:00: come back and take out each asset, one transaction each.'],
  [{ state: 'ready' }, 'You collect it', 'Now or on any later day: take out each asset, one transaction each.'],
])('the last step of %o is the owner’s own act', (exit, label, detail) => {
  expect(stepsOf({ ...OPEN, ...exit }).at(-1)).toMatchObject({ label, detail })
})

test('a payment takes the place of the owner’s step', () => {
  const paid = [{ ...PAID, booked_at: '2030-01-09T00:00:00.000Z' }]
  expect(stepsOf({ ...OPEN, state: 'ready', paid }).map(({ label }) => label)).toEqual([
    'Requested',
    'The amount is fixed',
    'The vault is ready to pay',
    'Paid: 5 USDT',
  ])
})

test('counts only the payments of this exit, the first one first', () => {
  const at = (booked_at: string) => ({ ...PAID, booked_at })
  const [second, first, earlier] = [at('2030-01-09T00:00:00.000Z'), at('2030-01-08T00:00:00.000Z'), at('2029-12-01')]
  expect(paidSince([second, first, earlier], OPEN.requested_at)).toEqual([first, second])
  expect(paidSince([second], null)).toEqual([])
})

test('names the end of repaying, and leaves it out afterwards', () => {
  expect(worksTexts(OPEN)[0]).toBe('Repaying loans and adding collateral, until 6 Jan 2030 00:00')
  const later = worksTexts({ ...OPEN, allowed: ['cancel_transfer_out', 'cancel_exit'] })
  expect(later.join()).not.toContain('Repaying')
  expect(later).toContain('Cancelling the exit, at any time')
})
