import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FEATURES } from '@clearwell/server/src/features.ts'

/**
 * Writes the table of features into both READMEs, from the manifests of the server. With `--check` it only says whether the
 * tables are up to date.
 */
const root = join(import.meta.dirname, '../..')

const isCheck = process.argv.includes('--check')
for (const [file, locale, head, state] of [
  ['README.md', 'en', '| feature | status |', 'open'],
  ['README.zh-HK.md', 'zh-HK', '| 功能 | 狀態 |', '已開放'],
] as const) {
  const rows = FEATURES.map(({ about }) => `| ${about[locale]} | ${state} |`)
  const path = join(root, file)
  const text = readFileSync(path, 'utf8')
  const table = ['<!-- status: npm run generate -w e2e -->', '', head, '|---|---|', ...rows, '', '<!-- end -->'].join(
    '\n',
  )
  const next = text.replace(/<!-- status: [\s\S]*?<!-- end -->/, () => table)
  if (next === text) continue
  if (!isCheck) writeFileSync(path, next)
  else {
    process.stderr.write(`${file} is out of date: run npm run generate -w e2e\n`)
    process.exitCode = 1
  }
}
