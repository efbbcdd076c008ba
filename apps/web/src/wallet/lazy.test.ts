import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '..')
const files = globSync('**/*.{ts,tsx}', { cwd: src, exclude: ['generated/**'] }).filter(
  (file) => !file.includes('.test.') && !file.includes('/testing/'),
)

/** `import type` is erased, `import(…)` waits: what is left is part of whatever imports it. */
function staticImports(file: string): string[] {
  const source = readFileSync(join(src, file), 'utf8').replace(/import type [^;]*?from '[^']*'/gs, '')
  return [...source.matchAll(/(?:^|\n)(?:import|export)\s[^;]*?from '([^']+)'/gs)].map((match) => match[1] ?? '')
}

/** The packages that a file brings along, by itself and through what it imports. */
function packagesOf(file: string, seen = new Set<string>()): Set<string> {
  const packages = new Set<string>()
  if (seen.has(file)) return packages
  seen.add(file)
  for (const name of staticImports(file)) {
    if (!name.startsWith('.')) packages.add(name)
    else if (/\.tsx?$/.test(name) && !name.includes('/generated/'))
      for (const each of packagesOf(normalize(join(dirname(file), name)), seen)) packages.add(each)
  }
  return packages
}

const usersOf = (pattern: RegExp) => files.filter((file) => [...packagesOf(file)].some((name) => pattern.test(name)))

test('wagmi and viem are part of the wallet alone, which is loaded on demand, so the first paint never waits for them', () => {
  expect(usersOf(/^(wagmi|viem)(\/|$)/).sort()).toEqual([
    'wallet/browser-connector.ts',
    'wallet/demo-wallet/demo-wallet.ts',
    'wallet/follow-transaction.ts',
    'wallet/guarded-provider.ts',
    'wallet/permit.ts',
    'wallet/resume-connection.ts',
    'wallet/transport.ts',
    'wallet/wallet-address.ts',
    'wallet/wallet-config.ts',
    'wallet/wallet-connect-connector.ts',
    'wallet/wallet-core.ts',
  ])
})

test('WalletConnect is loaded when it is chosen, not even with the rest of the wallet', () => {
  expect(usersOf(/^@walletconnect\//)).toEqual(['wallet/wallet-connect-provider.ts'])
})

test('QR codes are drawn by code that is loaded when one is shown', () => {
  expect(usersOf(/^uqr$/)).not.toContain('features/session/pairing.tsx')
  expect(packagesOf('features/session/sign-in-sheet.tsx')).not.toContain('uqr')
  expect(packagesOf('features/session/pairing-code.tsx')).toContain('uqr')
})

test('the walk through the imports finds what it is to find', () => {
  expect(packagesOf('wallet/wallet-core.ts')).toContain('viem')
  expect(packagesOf('main.tsx')).toContain('react')
})
