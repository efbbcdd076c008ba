import { expect, test } from 'vitest'
import { csvLine } from './log-file.ts'

test.each([
  ['plain cells stand as they are, and the line ends with CR LF', ['a', '', '1.5', '幣'], 'a,,1.5,幣\r\n'],
  ['what separates cells or lines is quoted', ['a,b', 'c\r\nd', 'e\nf'], '"a,b","c\r\nd","e\nf"\r\n'],
  ['a quote is doubled within quotes', ['say "no"'], '"say ""no"""\r\n'],
  ['a number keeps its sign', ['-0.000000000000000001', '-12'], '-0.000000000000000001,-12\r\n'],
  ['no cell begins like a formula', ['=1+1', '+1', '-1-1', '@sum', '-'], "'=1+1,'+1,'-1-1,'@sum,'-\r\n"],
  ['nor behind white space, nor in full width', ['\t=1', ' @a', '＝1', '\n-a'], `'\t=1,' @a,'＝1,"'\n-a"\r\n`],
  ['a formula with a comma is both', ['=hyperlink("x",1)'], `"'=hyperlink(""x"",1)"\r\n`],
])('%s', (_name, cells, line) => {
  expect(csvLine(cells)).toBe(line)
})
