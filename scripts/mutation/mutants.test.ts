import { expect, test } from 'vitest'
import { applyMutant, mutantsOf } from './mutants.ts'

const changesOf = (text: string) => mutantsOf('a.ts', text).map(({ line, from, to }) => [line, from, to])

test('each operator, condition, number and effect has its mutants', () => {
  expect(changesOf('if (a < b && c) send(1)\n')).toEqual([
    [1, 'a < b && c', 'true'],
    [1, 'a < b && c', 'false'],
    [1, '<', '<='],
    [1, '&&', '||'],
    [1, 'send(1)', ';'],
    [1, '1', '2'],
  ])
  expect(changesOf('\nconst x = 5n * y ?? false')).toEqual([
    [2, '5n', '6n'],
    [2, '*', '/'],
    [2, '??', '&&'],
    [2, 'false', 'true'],
  ])
})

test('types, imports and preloaded keys have no mutants', () => {
  expect(changesOf("import { a } from 'a'\ntype B = 1 | 2\nconst c = { preload: [d(1)], e }\n")).toEqual([])
})

test('a mutant is written into its file', () => {
  const text = 'const a = b + 1\n'
  expect(mutantsOf('a.ts', text).map((each) => applyMutant(each, text))).toEqual([
    'const a = b - 1\n',
    'const a = b + 2\n',
  ])
})
