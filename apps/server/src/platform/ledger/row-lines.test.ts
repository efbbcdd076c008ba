import type { RowWrite, State } from '@clearwell/ledger/command'
import { column, defineWriterTable, forever } from '@clearwell/ledger/table'
import { transfer } from '@clearwell/ledger/transfer'
import { expect, test } from 'vitest'
import { coverLines, lineHash, type RowLine, readRows, rowLines, storeRowLines } from './row-lines.ts'

const kept = forever('a test')
const orders = defineWriterTable('orders', kept, { id: column.text, units: column.units })
const pools = defineWriterTable(
  'pools',
  kept,
  { id: column.text, units: column.units, at: column.time, note: column.optional(column.text), count: column.integer },
  { carried: 'always' },
)
const judged = defineWriterTable('judged', kept, { id: column.text }, { carried: 'with_entries' })
const AT = new Date('2026-11-29T09:00:00Z')
const pool: RowWrite = { table: pools, row: { id: 'USDT', units: 10n ** 30n, at: AT, note: null, count: 3 } as never }
const swap = {
  kind: 'swap',
  reference: '',
  postings: transfer({ from: 'user:a:available', to: 'pool', asset: 'BNB', units: 1n }),
}

/** Reads nothing but the last line. */
const stateWith = (last: { number: bigint; hash: string } | undefined) =>
  ({ row: ({ name }: { name: string }) => (name === 'row_line_heads' ? last : undefined) }) as unknown as State
const unread = {
  row: () => {
    throw new Error('nothing may be read')
  },
} as unknown as State
const context = { now: AT, id: (label: string) => label }

function lineOf(plan: Parameters<typeof storeRowLines.rowsFor>[0], last?: { number: bigint; hash: string }) {
  const rows = storeRowLines.rowsFor(plan, stateWith(last), context, 7n)
  return rows.find(({ table }) => table === rowLines)?.row as unknown as RowLine
}

test('a command without carried rows reads and writes nothing', () => {
  const plan = { entries: [swap], rows: [{ table: orders, row: { id: '1', units: 1n } as never }] }
  expect(storeRowLines.rowsFor(plan, unread, context, 7n)).toEqual([])
})

test('a line has the entries of its command, after the last one', () => {
  const first = lineOf({ entries: [swap, swap], rows: [pool] })
  expect(first).toMatchObject({ number: 1n, from_seq: 8n, to_seq: 9n, previous: `0x${'00'.repeat(32)}` })
  const second = lineOf({ rows: [pool] }, first)
  expect(second).toMatchObject({ number: 2n, from_seq: 8n, to_seq: 7n, previous: first.hash })
  expect(second.hash).toBe(lineHash(second))
  expect(lineHash({ ...second, to_seq: 8n })).not.toBe(second.hash)
})

test('rows that are only judged need an entry for a line', () => {
  const row = { table: judged, row: { id: '1' } }
  expect(storeRowLines.rowsFor({ rows: [row] }, unread, context, 7n)).toEqual([])
  expect(lineOf({ entries: [swap], rows: [row] }).rows).toBe('[["judged",{"id":"1"}]]')
})

test('rows are read as they were written, of known tables alone', () => {
  const { rows } = lineOf({ rows: [pool] })
  expect(rows).toBe(
    '[["pools",{"id":"USDT","units":"1000000000000000000000000000000","at":"2026-11-29T09:00:00.000Z","note":null,"count":3}]]',
  )
  expect(readRows(rows, new Map([['pools', pools]]))).toEqual([pool])
  expect(() => readRows(rows, new Map())).toThrow('a restore does not write rows of pools')
})

test('a line may lack a later column unless it needs a value', () => {
  const { rows } = lineOf({ rows: [pool] })
  const read = (older: string) => readRows(older, new Map([['pools', pools]]))
  expect(read(rows.replace('"note":null,', ''))).toEqual([pool])
  expect(() => read(rows.replace(',"count":3', ''))).toThrow('a row of pools lacks count')
})

test('the hash that covers lines changes with each of its parts', () => {
  const of = { rules: `0x${'11'.repeat(32)}`, number: '5', hash: `0x${'22'.repeat(32)}` }
  const hashes = [of, { ...of, number: '6' }, { ...of, hash: of.rules }, { ...of, rules: of.hash }].map(coverLines)
  expect(new Set(hashes).size).toBe(4)
})
