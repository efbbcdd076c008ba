import { expect, test } from 'vitest'
import { applyChange, linesOfTests, readRecipe } from './recipe.ts'

const PAGE = [
  'Text.',
  '',
  '```sh',
  'npm test',
  '```',
  '',
  '```ts a/new.ts',
  'const a = 1',
  '```',
  '',
  '```diff a/old.ts',
  ' one',
  '-two',
  '+three',
  '…',
  '+zero',
  ' four',
  '```',
  '',
].join('\n')

test('reads new files and changes, and skips blocks without a file', () => {
  expect(readRecipe(PAGE)).toEqual([
    { path: 'a/new.ts', create: 'const a = 1\n' },
    {
      path: 'a/old.ts',
      changes: [
        { before: 'one\ntwo\n', after: 'one\nthree\n' },
        { before: 'four\n', after: 'zero\nfour\n' },
      ],
    },
  ])
})

test('changes a file where the lines are in it exactly once', () => {
  const change = { before: 'b\n', after: 'c\n' }
  expect(applyChange('a\nb\nd\n', change)).toBe('a\nc\nd\n')
  expect(() => applyChange('a\n', change)).toThrow('in the file 0 times')
  expect(() => applyChange('b\nb\n', change)).toThrow('in the file 2 times')
})

test('finds the tests that contain a change', () => {
  const file = "setup()\ntest('a', () => {\n  one()\n})\n\n  test('b', () => {\n    two()\n  })\n"
  expect(linesOfTests(file, '  one()\n')).toEqual([2])
  expect(linesOfTests(file, '    two()\n')).toEqual([6])
  expect(linesOfTests(file, "  one()\n})\n\n  test('b', () => {\n")).toEqual([2, 6])
  expect(() => linesOfTests(file, 'setup()\n')).toThrow('in no test')
  expect(() => linesOfTests(file, 'three()\n')).toThrow('in no test')
})
