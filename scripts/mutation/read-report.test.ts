import { expect, test } from 'vitest'
import { percentOf, readReport } from './read-report.ts'

const mutant = (status: string, [line, from, to]: [number, number, number], replacement: string) => ({
  mutatorName: 'EqualityOperator',
  status,
  replacement,
  location: { start: { line, column: from }, end: { line, column: to } },
})
const source = 'const a = 1\nif (a < b) return a\n'
const REPORT = {
  files: {
    'b.ts': { source, mutants: [mutant('Killed', [2, 5, 10], 'a > b'), mutant('Timeout', [2, 5, 10], 'true')] },
    'a.ts': {
      source,
      mutants: [
        mutant('Survived', [2, 5, 10], 'a <= b'),
        mutant('NoCoverage', [1, 11, 12], '2'),
        mutant('Ignored', [1, 11, 12], '3'),
        mutant('Killed', [2, 5, 10], 'false'),
      ],
    },
  },
}

test('a report counts mutants that ran, by file', () => {
  const scores = readReport(REPORT)
  expect(scores.map(({ file, noticed, survivors }) => [file, noticed, survivors.length])).toEqual([
    ['a.ts', 1, 2],
    ['b.ts', 2, 0],
  ])
  expect(percentOf(scores)).toBe(60)
})

test('mutants that ran too long are noticed, and named', () => {
  expect(readReport(REPORT)[1]?.timedOut).toEqual([{ file: 'b.ts', line: 2, from: 'a < b', to: 'true' }])
})

test('a survivor is described by its code and the replacement', () => {
  expect(readReport(REPORT)[0]?.survivors).toEqual([
    { file: 'a.ts', line: 2, from: 'a < b', to: 'a <= b' },
    { file: 'a.ts', line: 1, from: '1', to: '2' },
  ])
})

test('a mutant of the keys that a command preloads counts for nothing', () => {
  const command =
    'const c = {\n  preload: [\n    a,\n    b,\n  ],\n  decide: x < y,\n}\nconst d = {\n  preload: [a],\n  e,\n}\n'
  const at = (line: number) => mutant('Survived', [line, 5, 6], '[]')
  const scores = readReport({ files: { 'c.ts': { source: command, mutants: [2, 3, 5, 6, 9, 10].map(at) } } })
  expect(scores[0]?.survivors.map(({ line }) => line)).toEqual([6, 10])
})

test.each([
  ['by a function on one line', '  preload: ({ a }) => [{ b: a }],', '  decide: x,'],
  ['by a function on more lines', '  preload: ({ a }) =>\n    a.flatMap((b) => [\n      b,\n    ]),', '  decide: x,'],
  ['by a call', '  preload: keysOf(a),', '  decide: x,'],
  ['of a function', 'function keysOf(a: A): StateKey[] {\n  return [a]\n}', 'const b = x'],
  ['of a function with a long head', '}: Pick<A, B>): StateKey[] {\n  return [a]\n}', 'const b = x'],
])('a mutant of keys %s counts for nothing', (_how, hint, rest) => {
  const lines = hint.split('\n').length
  const mutants = Array.from({ length: lines + 1 }, (_, index) => mutant('Survived', [index + 2, 1, 2], '[]'))
  const scores = readReport({ files: { 'c.ts': { source: `x\n${hint}\n${rest}\n`, mutants } } })
  expect(scores[0]?.survivors.map(({ line }) => line)).toEqual([lines + 2])
})
