import { expect, test } from 'vitest'
import type { Breakage } from './breakage.ts'
import { set } from './edits.ts'
import { orderForCommit } from './order.ts'

const breakages: Breakage[] = Array.from({ length: 40 }, (_, index) => ({
  row: `1.${index}`,
  file: `file-${index}.ts`,
  edit: set('', 'x', '1'),
}))
const rowsOf = (hash: string, files: string[] = []) => orderForCommit(breakages, { files, hash }).map(({ row }) => row)

test('breakages of the files of a commit come first', () => {
  expect(rowsOf('0123abcd', ['file-7.ts', 'file-3.ts']).slice(0, 2)).toEqual(['1.3', '1.7'])
})

test('the hash of a commit decides the order of the others', () => {
  expect(rowsOf('0123abcd')).toEqual(rowsOf('0123abcd'))
  expect(rowsOf('0123abcd')).not.toEqual(rowsOf('4567abcd'))
  expect(rowsOf('0123abcd').toSorted()).toEqual(breakages.map(({ row }) => row).toSorted())
})
