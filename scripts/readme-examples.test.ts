import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from './run-command.ts'

const root = join(import.meta.dirname, '..')

const examples = globSync('packages/*/README.md', { cwd: root }).map((file) => ({
  file,
  code: [...readFileSync(join(root, file), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code),
}))

test('every package has a README', () => {
  const packages = globSync('packages/*/package.json', { cwd: root }).map(dirname)
  expect(examples.map(({ file }) => dirname(file)).toSorted()).toEqual(packages.toSorted())
})

/** The ledger's example creates a database, which takes seconds on a busy machine. */
const TIMEOUT_MS = 120_000

test.each(examples)('the example in $file runs', { timeout: TIMEOUT_MS }, async ({ file, code }) => {
  expect(code).not.toEqual([])
  const flags = ['--input-type=module-typescript', '--eval', code.join('\n')]
  const { exitCode, all } = await runCommand(process.execPath, flags, {
    cwd: join(root, dirname(file)),
    output: 'keep',
  })
  expect(all).toBe('')
  expect(exitCode).toBe(0)
})
