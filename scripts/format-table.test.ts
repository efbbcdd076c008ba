import { expect, test } from 'vitest'
import { formatTable } from './format-table.ts'

test('the first column is aligned left and figures right', () => {
  const rows = [
    ['', 'ms', 'times'],
    ['a page', '1,200', '2'],
    ['b', '3', ''],
  ]
  expect(formatTable(rows)).toBe(['           ms  times', 'a page  1,200      2', 'b           3'].join('\n'))
})
