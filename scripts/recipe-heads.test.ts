import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { faultsOfHeads, readHead, withLastRun } from './recipe-heads.ts'
import { makeScratchFolder } from './scratch-folder.ts'

const root = join(import.meta.dirname, '..')
const HEAD = 'Followed by `sim/a.test.ts` (steps 1 and 2), last run on 2026-11-28 at fa88941c: passed.'

test('each recipe names the test that follows it, or that none does', () => {
  expect(faultsOfHeads(root)).toEqual([])
})

test('a missing line, a missing test and a foreign test are named', async () => {
  const { path, remove } = await makeScratchFolder()
  onTestFinished(remove)
  const files = {
    'docs/recipes/bare.md': '# Bare\n\n## 1\n\nNo test follows this page.\n',
    'docs/recipes/foreign.md': `# Foreign\n\n${HEAD}\n`,
    'docs/recipes/gone.md': `# Gone\n\n${HEAD.replace('a.test', 'b.test')}\n\n## 1\n`,
    'docs/recipes/honest.md': '# Honest\n\nNo test follows this page. It has no command.\n',
    'docs/recipes/right.md': `# Right\n\n${HEAD}\n`,
    'sim/a.test.ts': "import { follow } from './follow.ts'\n",
    'sim/follow.ts': "export const follow = 'docs/recipes/right.md'\n",
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  expect(faultsOfHeads(path)).toEqual([
    'bare.md needs one line in its head: which test follows it, or "No test follows this page."',
    'foreign.md names sim/a.test.ts, which does not read the page',
    'gone.md names sim/b.test.ts, which does not exist',
  ])
})

test('the outcome of a run replaces the one before it', () => {
  const page = `# Page\n\n${HEAD}\n\n## 1\n\n${HEAD}\n`
  expect(readHead(page)).toEqual({ test: 'sim/a.test.ts', part: 'steps 1 and 2' })
  const later = 'Followed by `sim/a.test.ts` (steps 1 and 2), last run on 2026-12-01 at 0123abcd+: not run.'
  expect(withLastRun(page, 'not run', '2026-12-01', '0123abcd+')).toBe(`# Page\n\n${later}\n\n## 1\n\n${HEAD}\n`)
})
