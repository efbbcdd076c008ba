import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { CODES } from '@clearwell/api/codes'
import { ENTRY_KINDS } from '@clearwell/api/parts'
import { routes } from '@clearwell/api/routes'
import { RT_MARK } from '@clearwell/api/rt-mark'
import generateUi from '@clearwell/ui/build/generate.ts'
import { writeMessages } from '@clearwell/ui/build/write-messages.ts'
import * as z from 'zod/mini'
import { FIRST_PAINT_ICONS, FIRST_PAINT_MARKS } from './src/app/first-paint-icons.ts'
import { screens } from './src/app/screens.ts'
import type { Screen } from './src/manifest/screens.ts'

/**
 * Writes src/generated, which nothing else may edit: the texts, the icons, the table of calls, the kinds of
 * entry, the list of screens and the names of the live figures.
 * Run by `npm run generate`, and by Vite at its start and whenever a source of these changes.
 */
const web = import.meta.dirname
const generated = join(web, 'src/generated')
const require = createRequire(import.meta.url)

/** Calls that the app does not make, which home then does not load: those of tools and tests, and of other clients. */
const ELSEWHERE = [
  'alertNotices',
  'boxProof',
  'localAdvance',
  'localPrice',
  'localSeed',
  'previewDeposit',
  'proofData',
  'readAlerts',
  'richReleases',
] as const satisfies readonly (keyof typeof routes)[]

/** Codes that the app does not tell apart: the message of the server says all. */
const SAME_CODES = [
  'ok',
  'signature_failed',
  'something_went_wrong',
  'too_many_requests',
  'uid_not_linked',
] as const satisfies readonly (keyof typeof CODES)[]

mkdirSync(generated, { recursive: true })
removeOutdated()
writeIcons()
writeCalls()
writeCodeNames()
writeEntryKinds()
writeRefusalFields()
writeScreens()
await generateUi()
writeMessages(join(web, 'src'), {
  textFrom: '@clearwell/ui/i18n/text.ts',
  inherit: '@clearwell/ui/generated/messages/index.ts',
})
await writeLiveNames()

/** Removes output of an earlier version of this script: the checks would read it. */
function removeOutdated(): void {
  const written = [
    'calls.ts',
    'code-names.ts',
    'entry-kinds.ts',
    'icons.ts',
    'live-names.json',
    'menu-labels.ts',
    'messages',
    'messages.ts',
    'refusal-fields.ts',
    'screens.json',
  ]
  for (const name of readdirSync(generated)) {
    if (!written.includes(name)) rmSync(join(generated, name), { recursive: true })
  }
}

/** The bodies of the icons and marks of the first paint: the service has the others. */
function writeIcons(): void {
  const icons = readIcons(require.resolve('@iconify-json/lucide/icons.json'))
  const marks = readIcons(require.resolve('@iconify-json/cryptocurrency-color/icons.json'))
  const bundled = {
    ...Object.fromEntries(FIRST_PAINT_ICONS.map((name) => [name, icons(name)])),
    ...Object.fromEntries(FIRST_PAINT_MARKS.map((name) => [`token:${name}`, marks(name)])),
    'token:rt': RT_MARK,
  }
  writeFileSync(join(generated, 'icons.ts'), `export const bundledIcons = ${JSON.stringify(bundled, null, 2)}\n`)
}

/** Returns the body of each icon of a set by its name. */
function readIcons(path: string): (name: string) => string {
  const set = JSON.parse(readFileSync(path, 'utf8')) as {
    icons: Record<string, { body: string }>
    aliases?: Record<string, { parent: string }>
  }
  return (name) => {
    const body = set.icons[name]?.body ?? set.icons[set.aliases?.[name]?.parent ?? '']?.body
    if (body === undefined) throw new Error(`${path} has no icon ${name}`)
    return body
  }
}

/** Writes all that the client needs to send each call. The schemas stay on the server, which saves 8 kB. */
function writeCalls(): void {
  const used = Object.entries(routes).filter(([name]) => !ELSEWHERE.some((other) => other === name))
  const lines = used.map(([name, route]) => {
    const { method, path, session, idempotent } = route
    const marks = [
      method === 'GET' && 'isGet',
      session !== 'required' && 'isOpen',
      session === 'optional' && 'saysMore',
      idempotent && 'isIdempotent',
      idempotent && !('isHarmless' in route) && 'isLookedUp',
    ].filter((mark) => mark !== false)
    return `  ${name}: { path: '${path}'${marks.map((mark) => `, ${mark}: true`).join('')} },\n`
  })
  const text = `import type { RouteName } from '@clearwell/api/routes'

interface Call {
  readonly path: string
  /** Otherwise it is a POST. */
  readonly isGet?: true
  /** Works without a session. */
  readonly isOpen?: true
  /** Works without a session, and its response is about the user with one. */
  readonly saysMore?: true
  /** A command: needs an idempotency key. */
  readonly isIdempotent?: true
  /** A command of something of value: its outcome can be looked up. */
  readonly isLookedUp?: true
}

export type CallName = Exclude<RouteName, ${ELSEWHERE.map((name) => `'${name}'`).join(' | ')}>

export const calls: Readonly<Record<CallName, Call>> = {
${lines.join('')}}
`
  writeFileSync(join(generated, 'calls.ts'), text)
}

/** The names of the codes, without their texts: those come with each response, in the user's language. */
function writeCodeNames(): void {
  const known = Object.entries(CODES).filter(([name]) => !SAME_CODES.some((other) => other === name))
  const names = Object.fromEntries(known.map(([name, { code }]) => [code, name]))
  const type = `import type { CodeName } from '@clearwell/api/codes'

export type KnownCodeName = Exclude<CodeName, ${SAME_CODES.map((name) => `'${name}'`).join(' | ')}>

`
  const table = `export const codeNames: Readonly<Record<number, KnownCodeName>> = ${JSON.stringify(names, null, 2)}\n`
  writeFileSync(join(generated, 'code-names.ts'), type + table)
}

/** The kinds of ledger entry, without the parts of the API that name them: those have the schemas. */
function writeEntryKinds(): void {
  const type = "import type { EntryKind } from '@clearwell/api/parts'\n\n"
  const list = `export const ENTRY_KINDS: readonly EntryKind[] = ${JSON.stringify(ENTRY_KINDS, null, 2)}\n`
  writeFileSync(join(generated, 'entry-kinds.ts'), type + list)
}

/**
 * The fields in the data of each refusal, so that the web reads them without the schemas: the type of a figure or a text, or
 * the reasons. It reads no lists and no objects.
 */
function writeRefusalFields(): void {
  const fieldsOf = (schema: z.core.$ZodType) => {
    const { properties = {} } = z.toJSONSchema(schema) as { properties?: Record<string, RefusalField> }
    return Object.entries(properties).flatMap(([name, { enum: reasons, type }]) => {
      if (reasons) return [[name, reasons]]
      const types = [type].flat()
      if (types.includes('string')) return [[name, 'string']]
      return types.includes('integer') ? [[name, 'number']] : []
    })
  }
  const { ok: _, something_went_wrong: __, ...refusals } = CODES
  const fields = Object.fromEntries(
    Object.entries(refusals).map(([name, { data }]) => [name, Object.fromEntries(fieldsOf(data))]),
  )
  const text = `import type { RefusalName } from '@clearwell/api/codes'

type Fields = Readonly<Record<string, 'string' | 'number' | readonly string[]>>

export const refusalFields: Readonly<Record<RefusalName, Fields>> = ${JSON.stringify(fields, null, 2)}
`
  writeFileSync(join(generated, 'refusal-fields.ts'), text)
}

/** The names of the live figures, for the check of the texts that include them. The figures read the messages of above. */
async function writeLiveNames(): Promise<void> {
  const { loadFeatureFigures } = await import('./src/features.ts')
  const names = Object.keys(await loadFeatureFigures())
  writeFileSync(join(generated, 'live-names.json'), `${JSON.stringify(names, null, 2)}\n`)
}

interface RefusalField {
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
}

/**
 * The screens without their code, for the build, the journeys and the bench, which cannot import the code; and the texts
 * of the menu, which come with it and not with the manifests.
 */
function writeScreens(): void {
  const all = Object.entries<Screen>(screens)
  const plain = all.map(([path, { title, hasContent = false }]) => [path, { title, hasContent }])
  writeFileSync(join(generated, 'screens.json'), `${JSON.stringify(Object.fromEntries(plain), null, 2)}\n`)
  const labels = all.flatMap(([path, { title, menu }]) => (menu ? [`  '${path}': m.${title},\n`] : []))
  const text = `import { m } from './messages.ts'

export const menuLabels: Readonly<Record<string, () => string>> = {
${labels.join('')}}
`
  writeFileSync(join(generated, 'menu-labels.ts'), text)
}
