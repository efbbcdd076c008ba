import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '..')
/** The files of our own components, as paths from `src`. */
const UI = '../../../packages/ui/src'
const files = globSync('**/*.{ts,tsx}', { cwd: src, exclude: ['generated/**'] }).filter(
  (file) => !file.includes('.test.') && !file.includes('/testing/'),
)

/** Imports that load with the file: not `import type`, which is erased, nor `import(…)`, which waits. */
function staticImports(file: string): string[] {
  const source = readFileSync(join(src, file), 'utf8').replace(/import type [^;]*?from '[^']*'/gs, '')
  return [...source.matchAll(/(?:^|\n)(?:import|export)\s[^;]*?from '([^']+)'/gs)].map((match) => match[1] ?? '')
}

/** The packages that a file imports, directly and through its imports. */
function packagesOf(file: string, seen = new Set<string>()): Set<string> {
  const packages = new Set<string>()
  if (seen.has(file)) return packages
  seen.add(file)
  for (const name of staticImports(file)) {
    const own = name.replace(/^@clearwell\/ui(?=\/)/, UI)
    if (!own.startsWith('.')) packages.add(name)
    else if (/\.tsx?$/.test(own) && !own.includes('/generated/'))
      for (const each of packagesOf(own === name ? normalize(join(dirname(file), name)) : own, seen)) packages.add(each)
  }
  return packages
}

const usersOf = (pattern: RegExp) => files.filter((file) => [...packagesOf(file)].some((name) => pattern.test(name)))

test('the app loads wagmi and viem only with the wallet', () => {
  const users = usersOf(/^(wagmi|viem)(\/|$)/)
  expect(users).toContain('wallet/wallet-core.ts')
  expect(users.filter((file) => !file.startsWith('wallet/') || file === 'wallet/wallet.ts')).toEqual([])
})

test('the wallet loads WalletConnect only when it is chosen', () => {
  expect(usersOf(/^@walletconnect\//)).toEqual(['wallet/wallet-connect-provider.ts'])
})

test('the wallet loads the QR code renderer when one is shown', () => {
  expect(usersOf(/^uqr$/)).not.toContain('features/session/pairing.tsx')
  expect(packagesOf('features/session/sign-in-sheet.tsx')).not.toContain('uqr')
  expect(packagesOf(`${UI}/components/qr-code.tsx`)).toContain('uqr')
})

test('the import search finds packages of indirect imports', () => {
  expect(packagesOf('wallet/wallet-core.ts')).toContain('viem')
  expect(packagesOf('main.tsx')).toContain('react')
})
