import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { CODES } from '@clearwell/api/codes'
import { routes } from '@clearwell/api/routes'
import { compile } from '@inlang/paraglide-js'
import { subsetInter } from './build/subset-inter.ts'
import { FIRST_PAINT_ICONS, SERVICE_ICONS } from './src/icons/icon-names.ts'

/**
 * Writes src/generated, which nothing else may edit: the texts, the icons, the font and the table of calls.
 * Run by `npm run generate`, and by Vite at its start and whenever a source of these changes.
 */
const web = import.meta.dirname
const generated = join(web, 'src/generated')
const require = createRequire(import.meta.url)

mkdirSync(generated, { recursive: true })
removeOutdated()
writeIcons()
writeCalls()
writeCodeNames()
await subsetInter(generated)
await writeTexts()
// A timer inside the compiler of the texts would keep the process alive for half a minute.
process.exit(0)

/** Removes output of an earlier version of this script: the checks would read it. */
function removeOutdated(): void {
  const written = ['calls.ts', 'code-names.ts', 'icons.ts', 'inter.json', 'inter.woff2', 'paraglide', 'project.inlang']
  for (const name of readdirSync(generated)) {
    if (!written.includes(name)) rmSync(join(generated, name), { recursive: true })
  }
}

/** Every `<name>.messages.<locale>.json` under src becomes typed functions in src/generated/paraglide. */
async function writeTexts(): Promise<void> {
  const patterns = globSync('src/**/*.messages.zh-HK.json', { cwd: web })
    .sort()
    .map((file) => join(web, file).replace('zh-HK.json', '{locale}.json'))
  const project = join(generated, 'project.inlang')
  mkdirSync(project, { recursive: true })
  writeFileSync(
    join(project, 'settings.json'),
    JSON.stringify({
      baseLocale: 'zh-HK',
      locales: ['zh-HK', 'en'],
      // The plugin as a file of this machine: its default is an address on the network, which yields EMPTY messages
      // where there is none.
      modules: [relative(generated, require.resolve('@inlang/plugin-message-format'))],
      'plugin.inlang.messageFormat': { pathPattern: patterns },
    }),
  )
  await compile({
    project,
    outdir: join(generated, 'paraglide'),
    // src/i18n/locale.ts decides the language and hands it to the messages.
    strategy: ['baseLocale'],
    isServer: 'import.meta.env.SSR',
    emitGitIgnore: false,
    emitPrettierIgnore: false,
    emitReadme: false,
  })
  keepWhatMessagesNeed(join(generated, 'paraglide/runtime.js'))
  for (const file of globSync(join(generated, 'paraglide/messages/*.js'))) shortenMessage(file)
}

/**
 * The compiler's runtime finds the language out by address, cookie and header, and redirects: none of it is used, and none
 * of it would be tree-shaken out of home's script. Its types stay.
 */
function keepWhatMessagesNeed(runtime: string): void {
  const types = readFileSync(runtime, 'utf8').split('// ------ TYPES ------')[1]
  if (types === undefined) throw new Error('generate.ts: the compiler of the texts writes its runtime in another way')
  const code = `export const locales = /** @type {const} */ (["zh-HK", "en"])
export const experimentalStaticLocale = undefined
/** @type {() => Locale} */
export let getLocale = () => "zh-HK"
/** @type {(read: () => Locale) => void} */
export const overwriteGetLocale = (read) => {
  getLocale = read
}
`
  writeFileSync(runtime, code + types)
}

/**
 * The compiler writes three functions for a message, one of which takes a language as well. Nothing passes one, so one
 * function per message is enough, which saves 1 kB of home's script. Messages with plural forms stay as they are.
 */
function shortenMessage(file: string): void {
  const code = readFileSync(file, 'utf8')
  const texts = [...code.matchAll(/^const (\w+) = .* \((i?)\) => \{\n\treturn (.+)\n\};$/gm)]
  const [zh, en] = texts
  if (!zh || !en || texts.length !== 2) return
  const input = zh[2] || en[2] ? '/** @type {any} */ i' : ''
  const shortened = code
    .replace(zh[0], '')
    .replace(en[0], '')
    .replace('getLocale, experimentalStaticLocale', 'getLocale')
    .replace(', options?: { locale?: "zh-HK" | "en" }', '')
    .replace(
      /\(\(inputs(?: = \{\})?, options = \{\}\) => \{[\s\S]*\}\);/,
      () => `((${input}) => getLocale() === "en" ? ${en[3]} : ${zh[3]});`,
    )
  writeFileSync(file, shortened)
}

/** The bodies of the icons of the first paint, out of the whole Lucide set; the others come from the icon service. */
function writeIcons(): void {
  const set = JSON.parse(readFileSync(require.resolve('@iconify-json/lucide/icons.json'), 'utf8')) as {
    icons: Record<string, { body: string }>
    aliases?: Record<string, { parent: string }>
  }
  const bodyOf = (name: string) => {
    const icon = set.icons[name] ?? set.icons[set.aliases?.[name]?.parent ?? '']
    if (!icon) throw new Error(`icon-names.ts: Lucide has no icon "${name}"`)
    return icon.body
  }
  for (const name of SERVICE_ICONS) bodyOf(name)
  const bundled = Object.fromEntries(FIRST_PAINT_ICONS.map((name) => [name, bodyOf(name)]))
  writeFileSync(join(generated, 'icons.ts'), `export const bundledIcons = ${JSON.stringify(bundled, null, 2)}\n`)
}

/**
 * Writes what the client needs to send each call. The schemas stay on the server, which saves 8 kB. Home carries the table, so it
 * is a text with a line for each folder of the API, which saves 0.3 kB of compressed script.
 */
function writeCalls(): void {
  const entries = Object.entries(routes).map(([name, { method, path, session, idempotent }]) => {
    const cut = path.lastIndexOf('/')
    const last = path.slice(cut + 1)
    const marks = [
      method === 'GET' && '<',
      session !== 'required' && '?',
      session === 'optional' && '+',
      idempotent && '!',
    ].filter((mark) => mark !== false)
    return { folder: path.slice(0, cut), word: `${last === name ? name : `${name}:${last}`}${marks.join('')}` }
  })
  const lines = [...Map.groupBy(entries, ({ folder }) => folder)].map(
    ([folder, calls]) => `${folder} ${calls.map(({ word }) => word).join(' ')}`,
  )
  const text = `import type { RouteName } from '@clearwell/api/routes'

interface Call {
  readonly path: string
  /** Otherwise it is a POST. */
  readonly isGet: boolean
  /** Works without a session. */
  readonly isOpen: boolean
  /** Works without a session, and its response is about the user with one. */
  readonly saysMore: boolean
  /** A command: needs an idempotency key. */
  readonly isIdempotent: boolean
}

/** A folder, and its calls: <name>:<last part of the path, unless it is the name><marks>. */
const TABLE = \`${lines.join('\n')}\`

export const calls = Object.fromEntries(
  TABLE.split('\\n').flatMap((line) => {
    const [folder, ...words] = line.split(' ')
    return words.map((word): [string, Call] => {
      const [, name = '', last = name, marks = ''] = /^(\\w+)(?::([\\w.]+))?(.*)$/.exec(word) ?? []
      const has = (mark: string) => marks.includes(mark)
      const path = \`\${folder}/\${last}\`
      return [name, { path, isGet: has('<'), isOpen: has('?'), saysMore: has('+'), isIdempotent: has('!') }]
    })
  }),
) as Readonly<Record<RouteName, Call>>
`
  writeFileSync(join(generated, 'calls.ts'), text)
}

/** The names of the codes, without their texts: those come with each response, in the user's language. */
function writeCodeNames(): void {
  const names = Object.fromEntries(Object.entries(CODES).map(([name, { code }]) => [code, name]))
  const type = "import type { CodeName } from '@clearwell/api/codes'\n\n"
  const table = `export const codeNames: Readonly<Record<number, CodeName>> = ${JSON.stringify(names, null, 2)}\n`
  writeFileSync(join(generated, 'code-names.ts'), type + table)
}
