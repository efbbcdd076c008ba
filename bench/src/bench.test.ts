import { expect, test } from 'vitest'
import { BENCH_NAMES, loadBench } from './bench.ts'

test('the benches are the files of the folder', () => {
  expect(BENCH_NAMES).toEqual(expect.arrayContaining(['plans', 'swap', 'web']))
})

test.each(BENCH_NAMES)('the bench %s says its options', async (name) => {
  const { about, run } = await loadBench(name)
  expect(about).toMatch(/\(--\w+/)
  expect(run).toBeTypeOf('function')
})
