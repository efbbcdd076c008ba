import { expect, test } from 'vitest'
import { csvLine } from './csv-line.ts'

test.each([
  ['keeps plain cells and ends the line with CR LF', ['a', '', '1.5', '幣'], 'a,,1.5,幣\r\n'],
  ['quotes separators of cells and lines', ['a,b', 'c\r\nd', 'e\nf'], '"a,b","c\r\nd","e\nf"\r\n'],
  ['doubles quotes within quotes', ['say "no"'], '"say ""no"""\r\n'],
  ['keeps the sign of a number', ['-0.000000000000000001', '-12'], '-0.000000000000000001,-12\r\n'],
  ['escapes cells that begin like a formula', ['=1+1', '+1', '-1-1', '@sum', '-'], "'=1+1,'+1,'-1-1,'@sum,'-\r\n"],
  [
    'escapes formulas after white space and in full width',
    ['\t=1', ' @a', '＝1', '\n-a'],
    `'\t=1,' @a,'＝1,"'\n-a"\r\n`,
  ],
  ['escapes and quotes a formula with a comma', ['=hyperlink("x",1)'], `"'=hyperlink(""x"",1)"\r\n`],
])('%s', (_name, cells, line) => {
  expect(csvLine(cells)).toBe(line)
})
