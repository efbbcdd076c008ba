import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkBoundaries, readSources } from './check-boundaries.ts'

/** The faults of one file, beside a good one that keeps the report from being empty. */
function faultsOf(path: string, text: string): string[] {
  const good = { path: 'packages/money/src/good.ts', text: `import './other.ts'` }
  return checkBoundaries([good, { path, text }]).faults.map((fault) => `${fault.line} ${fault.message}`)
}

describe('what the architecture allows passes', () => {
  test.each([
    ['packages/rules/src/a.ts', `import { mulDiv } from '@clearwell/money/mul-div'`],
    ['packages/rules/src/a.ts', `import { b } from './b.ts'`],
    ['packages/rules/src/a.test.ts', `import fc from 'fast-check'`],
    ['packages/api/src/a.ts', `import * as z from 'zod/mini'`],
    ['packages/ledger/src/a.ts', `import { createHash } from 'node:crypto'`],
    ['apps/server/src/app.ts', `import './features/swap/swap.routes.ts'; import './features/team/team.routes.ts'`],
    [
      'apps/server/src/features/swap/a.ts',
      `import '@clearwell/ledger/writer'; import '../../config.ts'; import './b.ts'`,
    ],
    ['apps/server/src/chain.ts', `import { vaultAbi } from '@clearwell/vault/abi/vault'`],
    ['apps/web/src/routes/index.tsx', `import { S } from '../features/swap/swap-screen.tsx'; const a = <S />`],
    [
      'apps/web/src/features/swap/a.tsx',
      `import '../../ui/button.tsx'; import '../../generated/calls.ts'; import './a.css'`,
    ],
    ['bench/src/main.ts', `import '@clearwell/server/src/app.ts'; import '../../scripts/postgres.ts'`],
    ['apps/server/src/main.ts', 'const now = Date.now()'],
    ['packages/ledger/src/a.test.ts', 'const now = Date.now()'],
    ['packages/rules/src/a.ts', 'const then = new Date(0); const at = Date.UTC(2026, 1)'],
    ['packages/rules/src/a.ts', `// import '@clearwell/api/x'\nconst text = "import '@clearwell/api/x'; Date.now()"`],
  ])('%s: %s', (path, text) => {
    expect(faultsOf(path, text)).toEqual([])
  })
})

describe('what it does not allow is a fault, in whatever way it is written', () => {
  test.each([
    ['packages/money/src/a.ts', `import '@clearwell/rules/swap'`, 'packages/money must not import packages/rules'],
    ['packages/rules/src/a.ts', `import '@clearwell/api/codes'`, 'packages/rules must not import packages/api'],
    [
      'packages/ledger/src/a.ts',
      `import '@clearwell/server/src/app.ts'`,
      'packages/ledger must not import apps/server',
    ],
    ['packages/api/src/a.ts', `import type { A } from '@clearwell/rules/swap'`, 'must not import packages/rules'],
    ['packages/api/src/a.ts', `export * from '@clearwell/rules/swap'`, 'must not import packages/rules'],
    ['packages/api/src/a.ts', `export { a } from "@clearwell/rules/swap"`, 'must not import packages/rules'],
    ['packages/api/src/a.ts', `type A = import('@clearwell/rules/swap').A`, 'must not import packages/rules'],
    ['packages/api/src/a.ts', 'const a = await import(`@clearwell/rules/swap`)', 'must not import packages/rules'],
    ['packages/api/src/a.ts', `import a = require('@clearwell/rules/swap')`, 'must not import packages/rules'],
    ['packages/api/src/a.ts', `const a = require('@clearwell/rules/swap')`, 'must not import packages/rules'],
    [
      'packages/api/src/a.ts',
      `import {\n  a, // from './b.ts'\n} from\n  '@clearwell/rules/swap'`,
      'must not import packages/rules',
    ],
    ['packages/api/src/a.test.ts', `import '@clearwell/rules/swap'`, 'must not import packages/rules'],
    ['packages/api/src/a.test.ts', `vi.mock('@clearwell/rules/swap')`, 'must not import packages/rules'],
    ['apps/web/src/a.tsx', `import '@clearwell/ledger/writer'`, 'apps/web must not import packages/ledger'],
    ['apps/web/src/a.tsx', `import '@clearwell/server/src/app.ts'`, 'apps/web must not import apps/server'],
    ['apps/server/src/a.ts', `import '@clearwell/web/src/main.tsx'`, 'apps/server must not import apps/web'],
    ['apps/server/src/a.ts', `import '@clearwell/vault/scripts/x.ts'`, 'only vault/abi may be imported'],
    ['apps/server/src/a.ts', `import '../../../packages/money/src/asset.ts'`, 'imports another part by path'],
    ['apps/server/src/a.ts', `import '@clearwell/moeny/asset'`, 'is in no part of the house'],
    ['apps/server/src/a.ts', `import '../../../../elsewhere/a.ts'`, 'is in no part of the house'],
    ['packages/utils/src/a.ts', `import './b.ts'`, 'is in no part of the house'],
    ['apps/server/src/features/swap/a.ts', `import '../team/b.ts'`, 'feature swap must not import feature team'],
    [
      'apps/server/src/features/swap/a.ts',
      `import '@clearwell/server/src/features/team/b.ts'`,
      'feature swap must not import feature team',
    ],
    [
      'apps/web/src/features/swap/a.tsx',
      `import '../team/team.queries.ts'`,
      'feature swap must not import feature team',
    ],
    [
      'apps/web/src/features/swap/a.tsx',
      `const a = import.meta.glob('../team/*.tsx')`,
      'feature swap must not import feature team',
    ],
    ['apps/web/src/a.tsx', `import '@/features/swap/a.tsx'`, 'which this check cannot place'],
    ['apps/web/src/a.tsx', `import fs from 'node:fs'`, 'does not exist in a browser'],
    ['packages/rules/src/a.ts', `import 'viem'`, 'is pure and must not import'],
    ['packages/rules/src/a.ts', `const name = './b.ts'; await import(name)`, 'worked out at run time'],
    ['packages/ledger/src/a.ts', 'const now = Date.now()', 'Date.now is not allowed'],
    ['packages/ledger/src/a.ts', `const now = globalThis.Date['now']()`, 'Date.now is not allowed'],
    ['packages/ledger/src/a.ts', 'const clock = { now: Date.now }', 'Date.now is not allowed'],
    ['packages/ledger/src/a.ts', 'const now = new Date()', 'new Date() is not allowed'],
    ['packages/ledger/src/a.ts', 'const now = new Date', 'new Date() is not allowed'],
    ['packages/ledger/src/a.ts', 'const now = Date()', 'Date() is not allowed'],
    ['apps/server/src/features/node/a.ts', 'const draw = Math.random()', 'Math.random is not allowed'],
    ['packages/rules/src/a.ts', 'const = 1', 'cannot be read'],
  ])('%s: %s', (path, text, message) => {
    expect(faultsOf(path, text)).toEqual([expect.stringContaining(message)])
  })
})

test('a fault names its line', () => {
  expect(faultsOf('packages/ledger/src/a.ts', '\n\nconst now = Date.now()')[0]).toMatch(/^3 /)
})

test('having read nothing is a fault', () => {
  expect(checkBoundaries([]).faults).toHaveLength(1)
  expect(checkBoundaries([{ path: 'scripts/a.ts', text: 'const a = 1' }]).faults).toHaveLength(1)
})

test('of a folder, what people wrote is read, and what is installed or generated is not', () => {
  const root = mkdtempSync(join(tmpdir(), 'clearwell-boundaries-'))
  try {
    for (const path of [
      'packages/money/src/a.ts',
      'apps/web/src/routes/{-$locale}/b.tsx',
      'apps/web/src/generated/c.ts',
      'node_modules/d/e.ts',
      'packages/money/node_modules/f.ts',
      '.data/g.ts',
      'apps/web/dist/h.ts',
    ]) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), `import '@clearwell/rules/swap'`)
    }
    const sources = readSources(root)
    expect(sources.map(({ path }) => path)).toEqual(['apps/web/src/routes/{-$locale}/b.tsx', 'packages/money/src/a.ts'])
    expect(checkBoundaries(sources).faults).toEqual([
      { path: 'packages/money/src/a.ts', line: 1, message: expect.stringContaining('must not import packages/rules') },
    ])
  } finally {
    rmSync(root, { recursive: true })
  }
})
