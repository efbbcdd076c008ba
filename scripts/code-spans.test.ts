import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeSpansIn, exists, readRepository } from './code-spans.ts'

/** Spans that are right although the repository does not have them. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/features/tips/tips.screens.ts': 'the example of the recipe add-a-feature',
  'src/features/tips/tips.messages.zh-HK.json': 'the example of the recipe add-a-feature',
  'https://<app>/?pid=<code>': 'an address with the operator’s own name',
  'postgres://clearwell:<password>@127.0.0.1/clearwell': 'an address with the operator’s own password',
  '@inlang/sdk': 'a package that was rejected',
  '@lix-js/sdk': 'a package that was rejected',
  '@fastify/rate-limit': 'a package that was rejected',
  '/icons/lucide.json?icons=a,b': 'a call with two of many names',
  'diffs/AaveV3Bnb_AaveV3BNBActivation_20231122…': 'a file of another repository',
  'e2e/contact-sheet/browsers': 'made by npm run test:browsers',
  'e2e/contact-sheet/index.html': 'made by npm run shots',
}
/** The defaults of the configuration, as JSON. Their page is generated. */
const GENERATED = 'docs/reference/configuration.md'

const root = join(import.meta.dirname, '..')
const listed = ['ls-files', '--cached', '--others', '--exclude-standard']
const files = execFileSync('git', listed, { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => existsSync(join(root, file)))

test('code that documents name exists', () => {
  // This file names what does not exist.
  const own = import.meta.filename.slice(root.length + 1)
  const repository = readRepository(
    root,
    files.filter((file) => file !== own),
  )
  // A changelog tells what once was.
  const documents = files.filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md' && file !== GENERATED)
  const spans = documents.flatMap((file) => codeSpansIn(file, readFileSync(join(root, file), 'utf8')))
  const missing = spans.filter((span) => !exists(span, repository))
  const unexplained = missing.filter(({ text }) => !Object.hasOwn(EXCEPTIONS, text))
  expect(unexplained.map(({ file, line, text }) => `${file}:${line} \`${text}\``)).toEqual([])
  expect(new Set(missing.map(({ text }) => text))).toEqual(new Set(Object.keys(EXCEPTIONS)))
  expect(spans.length).toBeGreaterThan(200)
})

const repository = { files: ['docs/a.md', 'apps/web/src/app/main.ts'], code: "const x = openLedger('/Stake/lend')" }

test.each([
  ['openLedger', true],
  ['openLedger()', true],
  ['openLedgers', false],
  ['openLedgers()', false],
  ['Ledger()', false],
  ['/Stake/lend', true],
  ['/Stake/repay', false],
  ['src/app', true],
  ['src/app/', true],
  ['src/<part>/main.ts', true],
  ['src/app/*.ts', true],
  ['app/other.ts', false],
  ['../apps/web', true],
])('%s exists: %s', (text, expected) => {
  expect(exists({ file: 'docs/a.md', text }, repository)).toBe(expected)
})

test('a block of code, a word and a sentence name nothing', () => {
  const markdown =
    'Call `lendAll` of `src/x.ts` or `run it now/then`, `word`, `Word`, `word()`.\n```ts\n`inBlock`\n```\n'
  expect(codeSpansIn('a.md', markdown).map(({ text }) => text)).toEqual(['lendAll', 'src/x.ts', 'Word', 'word()'])
})
