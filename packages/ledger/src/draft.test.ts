import { expect, test } from 'vitest'
import { type State, write } from './command.ts'
import { Draft } from './draft.ts'
import { column, defineWriterTable, forever } from './table.ts'

const members = defineWriterTable('members', forever('a test'), { id: column.text, name: column.text })
const orders = defineWriterTable('orders', forever('a test'), { id: column.text, name: column.text })

const state: State = {
  balance: (account, asset) => (account === 'ann' && asset === 'USDT' ? 10n : 0n),
  row: (table, id) => (table === members && id === '1' ? ({ id, name: 'Ann' } as never) : undefined),
  rows: (table, ids) => ids.map((id) => state.row(table, id)),
}
const transfer = (reference: string, units: bigint) => ({
  kind: 'transfer',
  reference,
  postings: [
    { account: 'ann', asset: 'USDT', units: -units },
    { account: 'ben', asset: 'USDT', units },
  ],
})

test('shows the state while nothing is planned', () => {
  const draft = new Draft(state)
  expect(draft.balance('ann', 'USDT')).toBe(10n)
  expect(draft.row(members, '1')).toEqual({ id: '1', name: 'Ann' })
  expect(draft.plan('done')).toEqual({ entries: [], rows: [], response: 'done' })
})

test('sums the postings of every part in balances of later parts', () => {
  const draft = new Draft(state)
  draft.add({ entries: [transfer('first', 3n)] })
  draft.add({ entries: [transfer('second', 4n)] })
  expect(draft.balance('ann', 'USDT')).toBe(3n)
  expect(draft.balance('ben', 'USDT')).toBe(7n)
  expect(draft.balance('ann', 'BNB')).toBe(0n)
  expect(draft.plan(null).entries?.map((entry) => entry.reference)).toEqual(['first', 'second'])
})

test('shows later parts the last row and writes only that', () => {
  const draft = new Draft(state)
  draft.add({ rows: [write(members, { id: '1', name: 'Anna' })] })
  expect(draft.row(members, '1')).toEqual({ id: '1', name: 'Anna' })
  draft.add({ rows: [write(members, { id: '1', name: 'Annabel' })] })
  expect(draft.row(members, '1')).toEqual({ id: '1', name: 'Annabel' })
  expect(draft.plan(null).rows?.map((each) => each.row)).toEqual([{ id: '1', name: 'Annabel' }])
})

test('keeps rows of different tables apart when their ids are equal', () => {
  const draft = new Draft(state)
  draft.add({ rows: [write(orders, { id: '1', name: 'order' })] })
  expect(draft.row(members, '1')).toEqual({ id: '1', name: 'Ann' })
  expect(draft.row(orders, '1')).toEqual({ id: '1', name: 'order' })
})

test('reads several rows, and asks the state only for unwritten ones', () => {
  const asked: unknown[] = []
  const below: State = {
    ...state,
    rows: (table, ids) => {
      asked.push([table.name, ids])
      return state.rows(table, ids)
    },
  }
  const draft = new Draft(below)
  draft.add({ rows: [write(members, { id: '2', name: 'Ben' })] })
  expect(draft.rows(members, ['1', '2', '3'])).toEqual([{ id: '1', name: 'Ann' }, { id: '2', name: 'Ben' }, undefined])
  expect(asked).toEqual([['members', ['1', '3']]])
})
