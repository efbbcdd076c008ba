import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSources } from './boundaries/sources.ts'
import { checkBoundaries } from './check-boundaries.ts'

/** The faults of one file, beside a good one that keeps the report from being empty. */
function faultsOf(path: string, text: string): string[] {
  const good = { path: 'packages/money/src/good.ts', text: `import './other.ts'` }
  return checkBoundaries([good, { path, text }]).faults.map((fault) => `${fault.line} ${fault.message}`)
}

describe('allowed imports', () => {
  test.each([
    ['packages/rules/src/a.ts', `import { mulDiv } from '@clearwell/money/mul-div'`],
    ['packages/rules/src/a.ts', `import { b } from './b.ts'`],
    ['packages/rules/src/a.test.ts', `import fc from 'fast-check'`],
    ['packages/api/src/a.ts', `import * as z from 'zod/mini'`],
    ['packages/ledger/src/a.ts', `import { createHash } from 'node:crypto'`],
    ['apps/server/src/features.ts', `import './features/swap/swap.feature.ts'; import './features/team/a.ts'`],
    ['apps/server/src/platform/a.test.ts', `import '../features/swap/a.ts'`],
    ['apps/server/src/platform/a.ts', `import '../config/config.ts'; import './testing/b.ts'`],
    ['apps/server/src/domain/pools/a.ts', `import '../lending/b.ts'; import '../../platform/c.ts'`],
    ['apps/server/src/features/swap/a.ts', `import '../../domain/pools/b.ts'`],
    [
      'apps/server/src/features/swap/a.ts',
      `import '@clearwell/ledger/writer'; import '../../platform/a.ts'; import './b.ts'`,
    ],
    ['apps/server/src/platform/chain.ts', `import { vaultAbi } from '@clearwell/vault/abi/vault'`],
    ['apps/web/src/routes/index.tsx', `import { S } from '../features/swap/swap-screen.tsx'; const a = <S />`],
    [
      'apps/web/src/features/swap/a.tsx',
      `import '../../components/button.tsx'; import '../../generated/calls.ts'; import './a.css'`,
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

describe('faults, in every spelling', () => {
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
    ['apps/server/src/main.ts', `import '@clearwell/demo/src/people.ts'`, 'apps/server must not import demo'],
    ['apps/server/src/main.ts', `import '../../../demo/src/people.ts'`, 'imports another part by path'],
    ['e2e/own-server.ts', `import '@clearwell/demo/src/people.ts'`, 'e2e must not import demo'],
    ['demo/src/a.ts', 'const now = Date.now()', 'Date.now is not allowed'],
    ['apps/server/src/a.ts', `import '@clearwell/vault/scripts/x.ts'`, 'only vault/abi may be imported'],
    ['apps/server/src/a.ts', `import '../../../packages/money/src/asset.ts'`, 'imports another part by path'],
    ['apps/server/src/a.ts', `import '@clearwell/moeny/asset'`, 'is in no part of the architecture'],
    ['apps/server/src/a.ts', `import '../../../../elsewhere/a.ts'`, 'is in no part of the architecture'],
    ['packages/utils/src/a.ts', `import './b.ts'`, 'is in no part of the architecture'],
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
    ['apps/web/src/a.tsx', `import '@/features/swap/a.tsx'`, 'which this check cannot resolve'],
    ['apps/web/src/a.tsx', `import fs from 'node:fs'`, 'does not exist in a browser'],
    ['packages/rules/src/a.ts', `import 'viem'`, 'is pure and must not import'],
    ['packages/rules/src/a.ts', `const name = './b.ts'; await import(name)`, 'computed at run time'],
    ['packages/ledger/src/a.ts', 'const now = Date.now()', 'Date.now is not allowed'],
    ['packages/ledger/src/a.ts', `const now = globalThis.Date['now']()`, 'Date.now is not allowed'],
    ['packages/ledger/src/a.ts', 'const clock = { now: Date.now }', 'Date.now is not allowed'],
    ['packages/ledger/src/a.ts', 'const now = new Date()', 'new Date() is not allowed'],
    ['packages/ledger/src/a.ts', 'const now = new Date', 'new Date() is not allowed'],
    ['packages/ledger/src/a.ts', 'const now = Date()', 'Date() is not allowed'],
    ['apps/server/src/features/node/a.ts', 'const draw = Math.random()', 'Math.random is not allowed'],
    ['packages/rules/src/a.ts', 'const = 1', 'cannot be parsed'],
    ['apps/server/src/config/a.ts', `import '../platform/b.ts'`, 'config/ must not import platform/'],
    ['apps/server/src/platform/a.ts', `import type { B } from '../features/swap/b.ts'`, 'must not import features/'],
    ['apps/server/src/platform/a.ts', `import '../domain/pools/b.ts'`, 'platform/ must not import domain/'],
    ['apps/server/src/domain/pools/a.ts', `import '../../features/swap/b.ts'`, 'domain/ must not import features/'],
    ['apps/server/src/domain/pools/a.ts', 'const now = new Date()', 'new Date() is not allowed'],
    ['apps/server/src/features/swap/a.ts', `import '../../server.ts'`, 'features/ must not import server.ts'],
    ['apps/server/src/elsewhere.ts', `import './platform/a.ts'`, 'is on no floor'],
    ['packages/ui/src/browser/a.ts', `import '../i18n/b.ts'`, 'browser/ must not import i18n/'],
    ['apps/web/src/wallet/a.ts', `import '../account/b.ts'`, 'wallet/ must not import account/'],
  ])('%s: %s', (path, text, message) => {
    expect(faultsOf(path, text)).toEqual([expect.stringContaining(message)])
  })
})

describe("SQL on the ledger's tables", () => {
  test.each([
    ['apps/server/src/features/swap/a.ts', "db.query('select units from balances where id = $1')", 'balances'],
    ['apps/server/src/operator/a.ts', 'db.query(`select 1\n  FROM   entries`)', 'entries'],
    ['apps/server/src/platform/custody/a.ts', 'const sql = `select 1 from x join owner_postings p`', 'owner_postings'],
    ['apps/server/src/server.ts', 'db.script("update writer_lease set holder = null")', 'writer_lease'],
    ['packages/rules/src/a.ts', "const sql = 'insert into command_outcomes values (1)'", 'command_outcomes'],
  ])("SQL on the ledger's tables is a fault in %s: %s", (path, text, table) => {
    expect(faultsOf(path, text)).toEqual([
      `1 SQL on ${table}, a table of the ledger: use or add a read in packages/ledger`,
    ])
  })

  test.each([
    ['packages/ledger/src/a.ts', "db.query('select units from balances')"],
    ['apps/server/src/features/swap/a.test.ts', "db.query('select units from balances')"],
    ['apps/server/src/platform/chain/testing/a.ts', "db.query('select units from balances')"],
    ['apps/server/src/features/swap/a.ts', "db.query('select id from swap_orders'); const kept = 'balances'"],
  ])("SQL on the ledger's tables is allowed in %s: %s", (path, text) => {
    expect(faultsOf(path, text)).toEqual([])
  })
})

describe('words of the product in the platform', () => {
  test.each([
    ['loan-rules.ts', 'const a = 1', 'loan'],
    ['a.ts', 'function readLoan() {}', 'loan'],
    ['a.ts', 'const { pledges } = input', 'pledges'],
    ['a.ts', 'class A { #members = 1 }', 'members'],
    ['a.ts', 'type A = { readonly RANK_ID: string }', 'rank'],
    ['a.ts', "const kind = 'box_claimable'", 'box'],
    ['a.ts', 'const sql = `select 1 from rich_accounts`', 'rich'],
    ['a.ts', 'const pattern = /star/', 'star'],
    ['a.ts', '// for lending\nconst a = 1', 'lending'],
  ])('reports the word in %s: %s', (file, text, word) => {
    expect(faultsOf(`apps/server/src/platform/${file}`, text)).toEqual([
      expect.stringMatching(new RegExp(`^1 "${word}" is a word of the product`)),
    ])
  })

  test.each([
    ['platform/a.ts', 'const checkbox = start(remember, calendar)'],
    ['platform/a.test.ts', 'const loan = 1'],
    ['platform/testing/a.ts', 'const loan = 1'],
    ['domain/lending/a.ts', 'const loan = 1'],
    ['config/a.ts', 'const loan = 1'],
  ])('accepts %s: %s', (path, text) => {
    expect(faultsOf(`apps/server/src/${path}`, text)).toEqual([])
  })
})

test('reports the line of a fault', () => {
  expect(faultsOf('packages/ledger/src/a.ts', '\n\nconst now = Date.now()')[0]).toMatch(/^3 /)
})

test('fails when there is nothing to check', () => {
  expect(checkBoundaries([]).faults).toHaveLength(1)
  expect(checkBoundaries([{ path: 'scripts/a.ts', text: 'const a = 1' }]).faults).toHaveLength(1)
})

test('reports a circle of files, types included', () => {
  const circle = checkBoundaries([
    { path: 'scripts/a.ts', text: `import { b } from './b.ts'` },
    { path: 'scripts/b.ts', text: `import type { C } from './c.ts'` },
    { path: 'scripts/c.ts', text: `export * from './a.ts'` },
    { path: 'scripts/d.ts', text: `import './a.ts'` },
  ])
  expect(circle.faults).toEqual([
    {
      path: 'scripts/a.ts',
      line: 1,
      message: expect.stringContaining('scripts/a.ts → scripts/b.ts → scripts/c.ts → scripts/a.ts'),
    },
  ])
})

describe('length of functions', () => {
  const lines = (count: number) => Array.from({ length: count - 2 }, () => '  a()').join('\n')

  test.each([
    ['scripts/a.ts', `function long() {\n${lines(71)}\n}`, 'long is 71 lines long, and 70 are allowed'],
    ['scripts/a.ts', `const long = () => {\n${lines(71)}\n}`, 'long is 71 lines'],
    ['scripts/a.ts', `const a = { long() {\n${lines(71)}\n} }`, 'long is 71 lines'],
    ['scripts/a.mjs', `run(() => {\n${lines(71)}\n})`, 'is 71 lines'],
    ['apps/web/src/app/a.tsx', `function Page() {\n${lines(101)}\n}`, 'Page is 101 lines long, and 100 are allowed'],
    ['apps/web/src/app/a.tsx', `function helper() {\n${lines(71)}\n}`, 'helper is 71 lines'],
    ['scripts/a.test.ts', `test('a', () => {\nfunction long() {\n${lines(71)}\n}\n})`, 'long is 71 lines'],
    ['a/testing/a.ts', `export function openWorld() {\n${lines(71)}\n}`, 'openWorld is 71 lines'],
    ['a/testing/a.ts', `function testAll() {\nconst long = () => {\n${lines(71)}\n}\n}`, 'long is 71 lines'],
    ['a/a.ts', `function testAll() {\n${lines(71)}\n}`, 'testAll is 71 lines'],
  ])('%s: reports a function that is too long (%#)', (path, text, message) => {
    expect(faultsOf(path, text)).toEqual([expect.stringContaining(message)])
  })

  test.each([
    ['scripts/a.ts', `function short() {\n${lines(70)}\n}`],
    ['apps/web/src/app/a.tsx', `function Page() {\n${lines(100)}\n}`],
    ['a/testing/a.ts', `export function testAll() {\n${lines(200)}\n}`],
    ['scripts/a.test.ts', `describe.each([1])('a', () => {\n${lines(200)}\n})`],
    ['scripts/a.test.ts', `test('a', { timeout: 1 }, async () => {\n${lines(200)}\n})`],
    ['scripts/a.ts', lines(200)],
  ])('%s: accepts a short function, a component and a test (%#)', (path, text) => {
    expect(faultsOf(path, text)).toEqual([])
  })
})

test('skips installed and generated files', () => {
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
