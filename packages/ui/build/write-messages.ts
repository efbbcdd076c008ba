import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LOCALES } from '../src/i18n/locale.ts'
import { compileMessages, type Messages } from './compile-messages.ts'

/**
 * Compiles every `<name>.messages.<locale>.json` of a package into typed functions in its `generated` folder.
 *
 * @param src the folder of the package's sources.
 * @param textFrom the module with `text` and `plural`, as the compiled messages import it.
 * @param inherit a module whose messages `m` has too.
 */
export function writeMessages(src: string, { textFrom, inherit }: { textFrom: string; inherit?: string }): void {
  const languages = Object.fromEntries(LOCALES.map((locale) => [locale, messagesIn(src, locale)]))
  const modules = compileMessages(languages, textFrom)
  if (inherit !== undefined) modules.set('index.ts', `export * from '${inherit}'\n${modules.get('index.ts')}`)
  const folder = join(src, 'generated/messages')
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) {
    if (!modules.has(name)) rmSync(join(folder, name))
  }
  for (const [name, code] of modules) writeChanged(join(folder, name), code)
  writeChanged(join(src, 'generated/messages.ts'), "export * as m from './messages/index.ts'\n")
}

function messagesIn(src: string, locale: string): Messages {
  const files = globSync(`**/*.messages.${locale}.json`, { cwd: src })
  return Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(join(src, file), 'utf8'))))
}

/** Leaves a file alone that has this content, so that a change of one text makes Vite reload one module. */
function writeChanged(file: string, content: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== content) writeFileSync(file, content)
}
