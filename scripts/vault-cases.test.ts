import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const vault = join(import.meta.dirname, '../vault')
const page = readFileSync(join(vault, 'src/exit/README.md'), 'utf8')
const rows = [...page.matchAll(/^\| (\w+) \| [^|]+ \| (\w+) \| `(test_\w+)` \|$/gm)].map(
  ([, name = '', suite = '', title = '']) => ({ name, suite, title }),
)

test('the list of the vault with exits names every case', () => {
  const faults = [2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 15, 16].map(String)
  const twice = Array.from({ length: 8 }, (_, n) => `A${n + 1}`)
  const stuck = Array.from({ length: 7 }, (_, n) => `B${n + 1}`)
  expect(rows.map(({ name }) => name)).toEqual([...faults, ...twice, ...stuck])
})

test.each(rows)('case $name has its test $title', (row) => expectTest(row))

const invariants = [...page.matchAll(/^\| (\d+) \| ([^|]+) \| ([^|]+) \| (\w+) \| `(test_\w+)` \|$/gm)].map(
  ([, number = '', contents = '', model = '', suite = '', title = '']) => ({ number, contents, model, suite, title }),
)

test('the list names every invariant that concerns the contract', () => {
  expect([...new Set(invariants.map(({ number }) => Number(number)))]).toEqual([1, 3, 4, 5, 6, 7, 10])
})

test.each(invariants)('invariant $number has its tests: $contents', ({ model, ...row }) => {
  expectTest(row)
  if (model === 'none') return
  const sources = globSync('test/exit/model/*.sol', { cwd: vault }).map((path) => read(path))
  expect(sources.join('')).toContain(`"${model}");`)
})

test('the page of exits names the costs that are measured', () => {
  const costs = read('test/exit/Costs.t.sol')
  const exits = readFileSync(join(vault, '../docs/concepts/exit.md'), 'utf8')
  const figures = [...exits.matchAll(/^\| ([^|]+) \| (\d+,\d{3}) \| [\d.]+ \|$/gm)].map(([, call, gas]) => [call, gas])
  const measured = (name: string) =>
    new RegExp(`function test_${name}\\(\\)[^}]*?, ([\\d_]+)\\);`).exec(costs)?.[1]?.replace('_', ',')
  expect(figures).toEqual([
    ['first deposit of an asset', measured('firstDeposit')],
    ['later deposit', measured('laterDeposit')],
    ['withdrawal that posts its root', measured('withdrawWithRoot')],
    ['request an exit', measured('requestExit')],
    ['finish an exit, for each asset', measured('finishExit')],
  ])
})

function expectTest({ suite, title }: { readonly suite: string; readonly title: string }): void {
  const sources = globSync('test/exit/*.t.sol', { cwd: vault }).map((path) => read(path))
  const source = sources.find((text) => text.includes(`contract ${suite} `)) ?? ''
  expect(source).toContain(`function ${title}(`)
}

function read(path: string): string {
  return readFileSync(join(vault, path), 'utf8')
}
