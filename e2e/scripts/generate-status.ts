import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FEATURES } from '@clearwell/server/src/features.ts'

/**
 * Writes the table of features into both READMEs, from the manifests of the server. With `--check` it only says whether the
 * tables are up to date.
 */
const root = join(import.meta.dirname, '../..')

/** Not built yet. SECURITY.md says what each is about. */
const PLANNED = [
  { en: 'Exit without the operator', 'zh-HK': '毋須營運方的自主退出' },
  { en: 'External audit', 'zh-HK': '外部審計' },
] as const

const isCheck = process.argv.includes('--check')
for (const [file, locale, head, state, planned] of [
  ['README.md', 'en', '| feature | status |', 'open', 'planned'],
  ['README.zh-HK.md', 'zh-HK', '| 功能 | 狀態 |', '已開放', '計劃中'],
] as const) {
  const rows = [
    ...FEATURES.map(({ about }) => `| ${about[locale]} | ${state} |`),
    ...PLANNED.map((about) => `| ${about[locale]} | ${planned} |`),
  ]
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
