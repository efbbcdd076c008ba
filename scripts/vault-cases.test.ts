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

test.each(rows)('case $name has its test $title', ({ suite, title }) => {
  const sources = globSync('test/exit/*.t.sol', { cwd: vault }).map((path) => readFileSync(join(vault, path), 'utf8'))
  const source = sources.find((text) => text.includes(`contract ${suite} `)) ?? ''
  expect(source).toContain(`function ${title}(`)
})
