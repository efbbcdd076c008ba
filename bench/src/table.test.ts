import { expect, test } from 'vitest'
import { formatTable } from './table.ts'

test('the first column stands to the left and figures to the right', () => {
  const rows = [
    ['', 'ms', 'times'],
    ['a page', '1,200', '2'],
    ['b', '3', ''],
  ]
  expect(formatTable(rows)).toBe(['           ms  times', 'a page  1,200      2', 'b           3'].join('\n'))
})
