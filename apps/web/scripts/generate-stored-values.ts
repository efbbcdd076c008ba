import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes the table of docs/reference/stored-values.md from the calls of `stored` in the web app and its components. With `--check` it only reports
 * whether the page is up to date. It also rejects storage that no call of `stored` describes.
 */
const FILE = join(import.meta.dirname, '../../../docs/reference/stored-values.md')
const ROOT = join(import.meta.dirname, '../../..')
const SOURCES = ['apps/web/src', 'packages/ui/src']

/** These use the storage without `stored`, each with the reason. The page names what they store. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'boot/before-paint.ts': 'runs before the app and only reads',
  'boot/start.ts': 'runs before the app',
  'app/missing-chunk.ts': "marks a reload for the router's own code",
  'browser/page-reload.ts': 'is part of the script that runs before the app',
  'wallet/wallet-store.ts': "reads the wallet library's state, and removes it where that library cannot",
  'wallet/wallet-config.ts': 'is the storage of the wallet library',
  'wallet/wallet-connect-provider.ts': 'is the storage of WalletConnect',
  'wallet/demo-wallet/demo-wallet.ts': 'is a wallet of its own, in the local profile only',
}

interface Description {
  readonly file: string
  readonly key: string
  readonly scope: string
  readonly keep: string | undefined
  readonly isOwned: boolean
  readonly clears: boolean
  /** The first sentence of the comment above it. */
  readonly about: string
}

const files = SOURCES.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT }))
  .map((file) => file.replaceAll('\\', '/'))
  .filter(
    (file) => !/(\/src\/generated\/|\.test\.tsx?$|(^|\/)testing\/)/.test(file) && !file.endsWith('browser/stored.ts'),
  )
  .toSorted()
const found: Description[] = []
const faults: string[] = []
for (const file of files) {
  const code = readFileSync(join(ROOT, file), 'utf8')
  found.push(...descriptionsIn(file, code))
  const usesStorage = /\b(local|session)Storage\b/.test(code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''))
  if (usesStorage && !(file.replace('apps/web/src/', '') in EXCEPTIONS))
    faults.push(`${file} uses the storage: describe the value with stored()`)
}
for (const { key, keep } of found) {
  const isUnclear = found.some((other) => other.key !== key && keep !== undefined && other.key.startsWith(`${key}.`))
  if (isUnclear || found.filter((other) => other.key === key).length > 1)
    faults.push(`${key} is not the only key of its name`)
}

const rows = found
  .toSorted((one, other) => (one.key < other.key ? -1 : 1))
  .map(({ key, about, scope, keep, isOwned, clears }) => [
    `\`${key}${keep === undefined ? '' : '.*'}\``,
    about,
    scope === 'tab' ? 'tab' : 'device',
    isOwned ? 'its account' : 'anyone on the device',
    clears ? 'the wallet disconnects or changes' : keep === undefined ? '—' : `${keep} newer ones are stored`,
  ])
const head = ['key', 'what', 'kept by', 'read by', 'removed when']
const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
const page = readFileSync(FILE, 'utf8')
const expected = page.replace(
  /(<!-- generated: stored values -->\n)[\s\S]*?(\n<!-- end -->)/,
  (_block, begin: string, end: string) => `${begin}\n${table}\n${end}`,
)
if (!process.argv.includes('--check')) writeFileSync(FILE, expected)
else if (page !== expected)
  faults.push('docs/reference/stored-values.md is out of date: run npm run generate -w apps/web')
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.exitCode = faults.length > 0 ? 1 : 0

/** Every call of `stored` in a file, with its description. A description is literal, so that it can be read here. */
function descriptionsIn(file: string, code: string): Description[] {
  return [...code.matchAll(/\bstored(?:<[^(]*>)?\(\{/g)].map(({ index, 0: call }) => {
    const text = balanced(code, index + call.length - 1)
    const literal = (name: string) => new RegExp(`\\b${name}: ('([^']*)'|[\\d_]+|true)`).exec(text)
    const key = literal('key')?.[2]
    const scope = literal('scope')?.[2]
    const about = /\/\*\*((?:(?!\/\*\*)[\s\S])*?)\*\/\s*(?:export )?const \w+ = (?:withDefault\(\s*)?$/.exec(
      code.slice(0, index),
    )?.[1]
    if (key === undefined || scope === undefined || about === undefined)
      throw new Error(`${file}: a call of stored() needs a literal key and scope, and a comment that says what it is`)
    return {
      file,
      key,
      scope,
      keep: literal('keep')?.[1],
      isOwned: literal('owner') !== null,
      clears: literal('clearsOnDisconnect') !== null,
      about: firstSentence(about),
    }
  })
}

/** The text from an opening brace to the one that closes it. */
function balanced(code: string, start: number): string {
  let depth = 0
  for (let index = start; index < code.length; index += 1) {
    if (code[index] === '{') depth += 1
    else if (code[index] === '}' && --depth === 0) return code.slice(start, index + 1)
  }
  throw new Error('a brace is not closed')
}

function firstSentence(comment: string): string {
  const text = comment.replaceAll(/\s*\n\s*\*\s?/g, ' ').trim()
  const sentence = /^(.*?)(?:\.(?:\s|$)|[:;] | \(specification)/.exec(text)?.[1] ?? text
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}
