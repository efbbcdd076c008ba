import { expect, test } from 'vitest'
import { breakSource } from './break-source.ts'
import type { Edit } from './breakage.ts'
import { always, drop, dropCall, literal, negate, never, operator, read, returns, set, swap } from './edits.ts'

const SOURCE = `const LIMIT = 50
const CODES = [-1, 403]
const TEXTS = { 0: first, [-1]: last }
function find(list, { isOpen = true, total }) {
  if (list.length > LIMIT) throw refusal('too_many')
  log(list)
  return isOpen ? { total, interest: list.interest } : none
}
`

test.each<[Edit, string, string]>([
  [set('', 'LIMIT', '7'), 'LIMIT = 50', 'LIMIT = 7'],
  [set('find', 'isOpen', 'false'), 'isOpen = true', 'isOpen = false'],
  [set('find', 'total', '0'), '{ total, interest', '{ total: 0, interest'],
  [negate('find', 'LIMIT'), 'list.length > LIMIT', '!(list.length > LIMIT)'],
  [never('find', 'isOpen'), 'return isOpen ?', 'return false ?'],
  [always('find', 'isOpen'), 'return isOpen ?', 'return true ?'],
  [dropCall('find', 'log'), 'log(list)', 'undefined'],
  [drop('CODES', '-1'), '[-1, 403]', '[ 403]'],
  [drop('TEXTS', '-1'), '{ 0: first, [-1]: last }', '{ 0: first,  }'],
  [read('find', 'interest', 'debt'), 'list.interest', 'list.debt'],
  [read('find', 'total', 'debt'), '{ total, interest', '{ total: debt, interest'],
  [swap('TEXTS', '0', '-1'), '{ 0: first, [-1]: last }', '{ 0: last, [-1]: first }'],
  [literal('find', 'too_many', 'x'), "'too_many'", '"x"'],
  [operator('find', 'LIMIT', '<'), 'length > LIMIT', 'length < LIMIT'],
])('an edit changes its place alone: $0.about', (edit, from, to) => {
  expect(broken(edit)).toBe(SOURCE.replace(from, to))
})

test('a function that returns something else does nothing more', () => {
  expect(broken(returns('find', 'none'))).toContain('total }) { return none }')
})

test('an edit of a name that is gone is an error', () => {
  expect(() => broken(drop('CODES', '404'))).toThrow('The breakage of §1.01 no longer fits file.ts: CODES: drops 404.')
})

function broken(edit: Edit): string {
  return breakSource({ row: '1.01', file: 'file.ts', edit }, SOURCE)
}
