import { expect, test } from 'vitest'
import { moveInTree, type TreeRow } from './tree-keys.ts'

/** a (open) › b (closed), c; d (closed); e */
const ROWS: readonly TreeRow[] = [
  { level: 1, expanded: true, text: 'a1' },
  { level: 2, expanded: false, text: 'b2' },
  { level: 2, expanded: undefined, text: 'c3' },
  { level: 1, expanded: false, text: 'd4' },
  { level: 1, expanded: undefined, text: 'b5' },
]

test.each([
  [0, 'ArrowDown', { focus: 1 }],
  [4, 'ArrowDown', undefined],
  [3, 'ArrowUp', { focus: 2 }],
  [0, 'ArrowUp', undefined],
  [2, 'Home', { focus: 0 }],
  [0, 'End', { focus: 4 }],
  [1, 'ArrowRight', { toggle: true }],
  [0, 'ArrowRight', { focus: 1 }],
  [2, 'ArrowRight', undefined],
  [0, 'ArrowLeft', { toggle: true }],
  [2, 'ArrowLeft', { focus: 0 }],
  [3, 'ArrowLeft', undefined],
  [1, 'b', { focus: 4 }],
  [4, 'B', { focus: 1 }],
  [0, 'x', undefined],
  [0, ' ', undefined],
  [0, 'Tab', undefined],
] as const)('from row %i, %s leads to %o', (at, key, move) => {
  expect(moveInTree(ROWS, at, key)).toEqual(move)
})

test('an open row whose children are still loading keeps the focus', () => {
  expect(moveInTree([{ level: 1, expanded: true, text: 'a' }], 0, 'ArrowRight')).toBeUndefined()
})
