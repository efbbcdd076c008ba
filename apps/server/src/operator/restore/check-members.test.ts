import type { Queryable } from '@clearwell/ledger/database'
import { expect, test } from 'vitest'
import { type InviterRow, LAST_ACTIVATION } from '../../domain/members/memberships.ts'
import type { RowLine } from '../../platform/ledger/row-lines.ts'
import {
  checkMembers,
  type KnownMember,
  refuseGaps,
  refuseOtherInviters,
  refuseOtherLevels,
  refuseOtherPayers,
  refuseSecondActivations,
} from './check-members.ts'
import { findBareActivations } from './rebuild-activations.ts'

const AT = '2026-11-29T09:00:00.000Z'
const [ANN, BEN, CAT, DAN] = ['a', 'b', 'c', 'd'].map((digit) => `0x${digit.repeat(40)}`) as [
  string,
  string,
  string,
  string,
]

/** The entry that pays for an activation. */
const paid = (seq: bigint, user: string) => ({
  ...{ seq, kind: 'activation', at: new Date(AT), reference: user, hash: '0x' },
  postings: [
    { account: `user:${user}:available`, asset: 'USDT' as const, units: -50n },
    { account: 'insurance', asset: 'USDT' as const, units: 50n },
  ],
})

type Row = readonly [table: string, row: object]
const active = (id: string): Row => ['members', { id, activated_at: AT, activation_order_id: null }]
const numbered = (id: string, number: number): Row => ['activations', { id, number: `${number}` }]
const last = (number: number): Row => ['last_numbers', { id: LAST_ACTIVATION, number: `${number}` }]
const joined = (id: string, parent_id: string | null): Row => [
  'users',
  { id, parent_id, invite_code: id.slice(-4), created_at: AT },
]
const leading = (id: string, level: number, leads: readonly number[]): Row => [
  'memberships',
  { id, level, ...Object.fromEntries(leads.map((count, each) => [`leads_${each}`, count])) },
]

/** The line of a command with one entry, or of one that ends with `to`. */
const line = (from: bigint, rows: readonly Row[], to = from): RowLine => ({
  ...{ number: from, from_seq: from, to_seq: to, rows: JSON.stringify(rows), previous: '0x', hash: '0x' },
})
const activation = (seq: bigint, user: string, number: number, ...more: Row[]) =>
  line(seq, [active(user), numbered(user, number), last(number), ...more])
const known = (id: string, of: Partial<KnownMember> = {}): KnownMember => ({
  ...{ id, parent_id: null, level: 0, activated: false, ...of },
})

test('an entry pays for the account that its line activates', () => {
  const pays = (lines: readonly RowLine[]) => refuseOtherPayers([paid(7n, ANN), paid(8n, BEN)], lines)
  pays([activation(7n, ANN, 1), activation(8n, BEN, 2)])
  // One command of the watcher credits several payments.
  pays([line(7n, [active(ANN), numbered(ANN, 1), active(BEN), numbered(BEN, 2), last(2)], 8n)])
  expect(() => pays([activation(7n, CAT, 1)])).toThrow(
    `Line 7 of rows activates ${CAT}, and its entries are paid by ${ANN}.`,
  )
  expect(() => pays([line(7n, [['members', { id: ANN, activated_at: null, activation_order_id: null }]])])).toThrow(
    `Line 7 of rows activates no account, and its entries are paid by ${ANN}.`,
  )
  expect(() => pays([line(9n, [active(CAT)], 8n)])).toThrow(
    `Line 9 of rows activates ${CAT}, and its entries are paid by no account.`,
  )
})

test('activations are numbered without a gap, those without lines included', () => {
  const entries = [paid(7n, ANN), paid(8n, BEN), paid(9n, CAT)]
  const check = (before: bigint, lines: readonly RowLine[]) => {
    const covers = (seq: bigint) => lines.some(({ from_seq, to_seq }) => from_seq <= seq && seq <= to_seq)
    refuseGaps(before, { paid: entries, bare: findBareActivations(entries, covers) }, lines)
  }
  check(4n, [])
  check(4n, [activation(7n, ANN, 5), activation(8n, BEN, 6), activation(9n, CAT, 7)])
  check(4n, [activation(8n, BEN, 6)])
  check(4n, [activation(9n, CAT, 7)])
  expect(() => check(3n, [activation(9n, CAT, 7)])).toThrow(
    'Entry 9 (activation) has number 7 in its line, and number 6 by those before it.',
  )
  expect(() => check(4n, [line(8n, [active(BEN), last(6)])])).toThrow(
    'Entry 8 (activation) has number none in its line, and number 6 by those before it.',
  )
  expect(() => check(4n, [line(8n, [active(BEN), numbered(BEN, 6), last(9)])])).toThrow(
    'The last activation of the lines is number 6, and the store has 9.',
  )
})

test('the last payment of an account counts after an earlier restore', () => {
  const entries = [paid(7n, ANN), paid(8n, BEN), paid(9n, ANN), paid(10n, BEN)]
  expect(findBareActivations(entries, (seq) => seq === 10n)).toEqual([entries[2]])
})

test('an interrupted restore continues within a command', async () => {
  const rows = [active(ANN), numbered(ANN, 1), active(BEN), numbered(BEN, 2), last(2)]
  const lines = [line(7n, rows, 8n)]
  const covers = (seq: bigint) => seq === 8n
  // The database has the first entry of the command, and its rows come with the last one.
  const imported = [{ entry_seq: 7n, kind: 'activation', account: `user:${ANN}:available` }]
  const db = { query: async (text: string) => (text.includes('from postings') ? imported : []) } as unknown as Queryable
  await checkMembers(db, [paid(8n, BEN)], { lines, covers })
  const other = paid(8n, CAT)
  await expect(checkMembers(db, [other], { lines, covers })).rejects.toThrow(`are paid by ${ANN}, ${CAT}.`)
})

test('an inviter or an invite code of the backup may not change', () => {
  const row = (of: Partial<InviterRow> = {}): InviterRow => ({
    ...{ id: ANN, parent_id: BEN, invite_code: 'CODE', created_at: new Date(AT), ...of },
  })
  refuseOtherInviters([row()], [row(), row({ id: CAT })])
  expect(() => refuseOtherInviters([row()], [row({ parent_id: CAT })])).toThrow(
    `The account ${ANN} has the inviter ${BEN}, and in the store ${CAT}.`,
  )
  expect(() => refuseOtherInviters([row()], [row({ invite_code: 'OTHER' })])).toThrow(
    `The account ${ANN} has another invite code in the store.`,
  )
  // It was deleted and has joined again.
  const before = new Date(Date.parse(AT) - 1)
  refuseOtherInviters([row({ created_at: before })], [row({ parent_id: CAT, invite_code: 'OTHER' })])
})

test('an account is activated once', () => {
  refuseSecondActivations([known(ANN), known(BEN, { activated: true })], [ANN, CAT])
  for (const [members, activated] of [
    [[known(ANN, { activated: true })], [ANN]],
    [[], [ANN, BEN, ANN]],
  ] as const)
    expect(() => refuseSecondActivations(members, activated)).toThrow(
      `The account ${ANN} is activated in the database or in an earlier line.`,
    )
})

test('a level is that of the activated leads of lines and database', () => {
  const team = [known(BEN, { parent_id: ANN, activated: true, level: 1 }), known(DAN, { parent_id: ANN })]
  const check = (row: Row, bare = 0) => {
    const rows = [active(CAT), joined(CAT, ANN), row]
    refuseOtherLevels(team, [line(7n, rows)], bare)
  }
  check(leading(ANN, 0, [2, 1, 0, 0, 0]))
  expect(() => check(leading(ANN, 0, [3, 1, 0, 0, 0]))).toThrow(
    `The account ${ANN} has level 0 with 3, 1, 0, 0, 0 leads in the store, and its activated leads are 2, 1, 0, 0, 0.`,
  )
  expect(() => check(leading(ANN, 0, [1, 1, 0, 0, 0]), 3)).toThrow('has level 0 with 1, 1, 0, 0, 0 leads')
  expect(() => check(leading(ANN, 1, [2, 1, 0, 0, 0]))).toThrow('has level 1 with 2, 1, 0, 0, 0 leads')
  // Three accounts joined and were activated by an earlier version: any of them can be a lead.
  check(leading(ANN, 1, [5, 1, 0, 0, 0]), 3)
  expect(() => check(leading(ANN, 1, [6, 1, 0, 0, 0]), 3)).toThrow('has level 1 with 6, 1, 0, 0, 0 leads')
})
