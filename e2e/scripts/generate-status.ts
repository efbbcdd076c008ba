import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FEATURES } from '@clearwell/server/src/features.ts'

/**
 * Writes the features that are open and planned into both READMEs, from the manifests of the server. With `--check` it only says
 * whether they are up to date.
 */
const root = join(import.meta.dirname, '../..')

/** Not built yet. SECURITY.md says what each is about. */
const PLANNED = [{ en: 'External audit', 'zh-HK': '外部審計' }] as const

const isCheck = process.argv.includes('--check')
for (const [file, locale, words] of [
  ['README.md', 'en', { planned: 'Planned:', open: 'Open:' }],
  ['README.zh-HK.md', 'zh-HK', { planned: '計劃中：', open: '已開放：' }],
] as const) {
  const list = (features: readonly { readonly [Name in typeof locale]: string }[]) =>
    features.map((about) => `- ${about[locale]}`)
  const lines = [words.planned, '', ...list(PLANNED), '', words.open, '', ...list(FEATURES.map(({ about }) => about))]
  const path = join(root, file)
  const text = readFileSync(path, 'utf8')
  const part = ['<!-- status: npm run generate -w e2e -->', '', ...lines, '', '<!-- end -->'].join('\n')
  const next = text.replace(/<!-- status: [\s\S]*?<!-- end -->/, () => part)
  if (next === text) continue
  if (!isCheck) writeFileSync(path, next)
  else {
    process.stderr.write(`${file} is out of date: run npm run generate -w e2e\n`)
    process.exitCode = 1
  }
}
