import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { subsetInter } from './subset-inter.ts'
import { writeMessages } from './write-messages.ts'

const require = createRequire(import.meta.url)

/**
 * Writes src/generated, which nothing else may edit: the texts, the names of the icons and the font. The generator of each app
 * runs it first.
 */
export default async function generate(): Promise<void> {
  const src = join(import.meta.dirname, '../src')
  const generated = join(src, 'generated')
  mkdirSync(generated, { recursive: true })
  writeMessages(src, { textFrom: '../../i18n/text.ts' })
  const set = JSON.parse(readFileSync(require.resolve('@iconify-json/lucide/icons.json'), 'utf8'))
  const names = Object.keys({ ...set.icons, ...set.aliases }).map((name) => `  | '${name}'\n`)
  writeFileSync(join(generated, 'icon-names.ts'), `export type IconName =\n${names.join('')}`)
  await subsetInter(generated)
}

if (import.meta.main) await generate()
