import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '..')
const files = globSync('**/*.{ts,tsx}', { cwd: src, exclude: ['generated/**'] }).filter(
  (file) => !file.includes('.test.'),
)

/** `import type` is erased, `import(…)` waits: what is left is part of whatever imports it. */
function staticImports(file: string): string[] {
  const source = readFileSync(join(src, file), 'utf8').replace(/import type [^;]*?from '[^']*'/gs, '')
  return [...source.matchAll(/(?:^|\n)(?:import|export)\s[^;]*?from '([^']+)'/gs)].map((match) => match[1] ?? '')
}

test('wagmi and viem are imported by the wallet alone', () => {
  const users = files.filter((file) => staticImports(file).some((name) => /^(wagmi|viem)(\/|$)/.test(name)))
  expect(users.sort()).toEqual(['wallet/demo-wallet/demo-wallet.ts', 'wallet/wallet-core.ts'])
})

test('the files that import them are loaded on demand, so the first paint never waits for them', () => {
  const users = files.filter((file) =>
    staticImports(file).some((name) => /\/(wallet-core|demo-wallet)\.ts$/.test(name)),
  )
  expect(users).toEqual([])
})
