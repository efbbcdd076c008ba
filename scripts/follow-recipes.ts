import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCommit } from './read-commit.ts'
import { RECIPES, readHead, recipePages, withLastRun } from './recipe-heads.ts'
import { endOnSignals, runCommand } from './run-command.ts'
import { makeScratchFolder } from './scratch-folder.ts'

/**
 * `npx node scripts/follow-recipes.ts [names of tests]` runs the tests that follow the pages of docs/recipes, all or those whose
 * path contains a name, and writes the outcome into the head of each page. Exits with 1 where a test fails.
 */
const root = join(import.meta.dirname, '..')
/** The tests that need PostgreSQL for two servers. That of a release starts its own. */
const WITH_DATABASE = /^(sim\/src\/(?!release\/)|apps\/server\/)/

const asked = process.argv.slice(2)
const scratch = await makeScratchFolder()
endOnSignals(scratch.remove)
try {
  const commit = await readCommit(root, RECIPES)
  const tests = new Set(recipePages(root).flatMap((name) => readHead(readPage(name))?.test ?? []))
  for (const test of tests) {
    if (asked.length > 0 && !asked.some((name) => test.includes(name))) continue
    const outcome = await follow(test)
    if (outcome === 'failed') process.exitCode = 1
    console.log(`${outcome}: ${test}`)
    const date = new Date().toISOString().slice(0, 10)
    for (const name of recipePages(root)) {
      const page = readPage(name)
      if (readHead(page)?.test === test)
        writeFileSync(join(root, RECIPES, name), withLastRun(page, outcome, date, commit))
    }
  }
} finally {
  await scratch.remove()
}

function readPage(name: string): string {
  return readFileSync(join(root, RECIPES, name), 'utf8')
}

/** Runs a test whole. A test that skips everything because this machine lacks something was not run. */
async function follow(test: string): Promise<'passed' | 'failed' | 'not run'> {
  const results = join(scratch.path, 'results.json')
  writeFileSync(results, '{}')
  const database = WITH_DATABASE.test(test) ? ['--postgres'] : []
  const reports = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
  const { exitCode } = await runCommand(
    process.execPath,
    [join(root, 'scripts/test-one.ts'), test, ...database, ...reports],
    { cwd: root, env: { NIGHTLY: '1', TMPDIR: scratch.path }, output: 'show' },
  )
  const { numPassedTests = 0 } = JSON.parse(readFileSync(results, 'utf8')) as { readonly numPassedTests?: number }
  if (exitCode !== 0) return 'failed'
  return numPassedTests > 0 ? 'passed' : 'not run'
}
