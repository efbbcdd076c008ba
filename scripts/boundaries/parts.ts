import { isRelative, resolveImport } from './imports.ts'
import { childrenOf, isTestCode, nameOf, type ParsedSource, type SyntaxNode } from './sources.ts'

/**
 * The boundaries between parts: which part may import which, features never import each other, and time and randomness
 * come in through ports.
 */

/** Everything that a program which drives the server from outside may use too. */
const SERVER = ['packages/api', 'packages/rules', 'packages/ledger', 'packages/proofs', 'packages/money', 'vault']

/** Allowed imports between parts, by folder. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  'packages/money': [],
  'packages/rules': ['packages/money'],
  'packages/api': ['packages/money'],
  'packages/ledger': ['packages/money'],
  'packages/proofs': [],
  // Repeats the rules with separate code, so that a fault of the server's cannot hide in it.
  'packages/verify': [],
  'packages/ui': ['packages/money'],
  'apps/web': [
    'packages/ui',
    'packages/api',
    'packages/rules',
    'packages/money',
    'packages/verify',
    'exit-kit',
    'vault',
  ],
  // The operator's command checks an archive with the verifier's code. The verifier itself imports nothing.
  'apps/server': [...SERVER, 'packages/verify'],
  vault: [],
  e2e: ['apps/web', 'apps/server', 'exit-kit', ...SERVER, 'scripts'],
  sim: ['apps/web', 'apps/server', ...SERVER, 'scripts'],
  cluster: ['sim', 'apps/server', ...SERVER, 'scripts'],
  bench: ['apps/web', 'apps/server', ...SERVER, 'scripts'],
  // Shares no code with the server, so that a fault of the server's cannot hide in it.
  bookkeeper: ['packages/verify', 'vault'],
  // Checks with the verifier's code, and runs when everything else is gone.
  'exit-kit': ['packages/proofs', 'packages/verify', 'vault'],
  // Others run it to watch the operator, so it shares no code with the server either.
  watch: ['packages/verify', 'exit-kit', 'vault'],
  // Nothing imports simulated people: a server in production loads none of their files.
  demo: ['apps/server', ...SERVER],
  scripts: ['apps/server'],
}

/** Imports that only tests may have: they compare the verifier with the rules that it repeats. */
const ARROWS_OF_TESTS: Readonly<Record<string, readonly string[]>> = {
  'packages/verify': ['packages/rules', 'packages/money', 'packages/proofs'],
  demo: ['packages/verify'],
  // They take a ledger of the server's, and check it.
  bookkeeper: ['apps/server', 'packages/api', 'packages/ledger', 'packages/money', 'packages/proofs'],
  // Accounts leave by the code that they, a bookkeeper and a holder of keys would use.
  sim: ['bookkeeper', 'exit-kit', 'packages/verify', 'watch'],
  // They take headers of the product's code to the vault on a local chain.
  watch: ['apps/server', 'bookkeeper', 'packages/proofs'],
}

/** Parts that return the same for the same input in the browser and on the server, so they import no package. */
const PURE = ['packages/money', 'packages/rules']

/** Parts that the browser loads, where Node's own modules do not exist. */
const BROWSER = [
  'packages/money',
  'packages/rules',
  'packages/api',
  'packages/verify/src',
  'packages/ui/src',
  'apps/web/src',
]

/** Code that takes time and randomness from its ports. */
const NO_CLOCK = /^(packages\/(?!ui\/)|demo\/|apps\/server\/src\/(features|domain|platform\/(market-data|prices))\/)/
const CLOCKS = new Set(['Date.now', 'Math.random', 'performance.now'])

/** Returns the fault of an import, if it has one. */
export function faultOfImport(path: string, specifier: string | undefined): string | undefined {
  const from = partOf(path)
  if (!from) return 'is in no part of the architecture: add its folder to ARROWS in scripts/boundaries/parts.ts'
  if (from === '.') return undefined
  if (specifier === undefined) return faultOfComputed(path)
  if (/^(@\/|~|#|\/|https?:|file:|data:)/.test(specifier))
    return `imports "${specifier}", which this check cannot resolve: use a relative path or a package name`

  const target = resolveImport(path, specifier)
  if (target === undefined) return faultOfPackage(path, from, specifier)

  const to = partOf(target)
  if (!to || to === '.') return `imports "${specifier}", which is in no part of the architecture`
  if (to !== from) {
    if (isRelative(specifier) && to !== 'scripts')
      return `imports another part by path: "${specifier}"; name its package instead`
    const mayTest = isTestCode(path) && ARROWS_OF_TESTS[from]?.includes(to)
    if (!ARROWS[from]?.includes(to) && !mayTest) return `${from} must not import ${to} ("${specifier}")`
    if (to === 'vault' && !target.startsWith('vault/abi/')) return `only vault/abi may be imported, not "${specifier}"`
    return undefined
  }
  const [own, other] = [featureOf(path), featureOf(target)]
  if (own && other && own !== other)
    return `feature ${own} must not import feature ${other} ("${specifier}"): move the shared code to a lower floor`
  return undefined
}

/** Uses of the system's clock and randomness where they have to come in through a port. */
export function clocksIn({ path, program }: ParsedSource): { readonly name: string; readonly offset: number }[] {
  if (!NO_CLOCK.test(path) || isTestCode(path)) return []
  const found: { name: string; offset: number }[] = []
  const visit = (node: SyntaxNode) => {
    const name = clockOf(node)
    if (name) found.push({ name, offset: node.start })
    childrenOf(node).forEach(visit)
  }
  visit(program)
  return found
}

function faultOfPackage(path: string, from: string, specifier: string): string | undefined {
  if (specifier.startsWith('@clearwell/')) return `imports "${specifier}", which is in no part of the architecture`
  if (isTestCode(path)) return undefined
  if (PURE.includes(from)) return `${from} is pure and must not import "${specifier}"`
  if (specifier.startsWith('node:') && BROWSER.some((part) => path.startsWith(`${part}/`))) {
    return `"${specifier}" does not exist in a browser, where this runs too`
  }
  return undefined
}

/** It imports what an import with a written name failed to load. */
const IMPORTS_AGAIN = 'packages/ui/src/browser/import-again.ts'

/** An `import(…)` of a computed name cannot be checked, so packages and apps may not have one. */
function faultOfComputed(path: string): string | undefined {
  const isCore = /^(packages|apps)\//.test(path) && !isTestCode(path) && path !== IMPORTS_AGAIN
  return isCore ? 'imports a module whose name is computed at run time: write the name out' : undefined
}

function partOf(path: string): string | undefined {
  const [first = '', second = ''] = path.split('/')
  if (!path.includes('/')) return '.'
  if (first === 'packages' || first === 'apps') return `${first}/${second}` in ARROWS ? `${first}/${second}` : undefined
  return first in ARROWS ? first : undefined
}

function featureOf(path: string): string | undefined {
  return /^apps\/[\w-]+\/src\/features\/([^/]+)\//.exec(path)?.[1]
}

/** `Date.now`, `Math.random` and `performance.now`, even as an argument only; `new Date()`; `Date()`. */
function clockOf(node: SyntaxNode): string | undefined {
  if (node.type === 'MemberExpression') {
    const name = nameOf(node)?.replace(/^globalThis\./, '') ?? ''
    return CLOCKS.has(name) ? name : undefined
  }
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return undefined
  if (nameOf(node.callee)?.replace(/^globalThis\./, '') !== 'Date') return undefined
  if (node.type === 'CallExpression') return 'Date()'
  return (node.arguments as unknown[]).length === 0 ? 'new Date()' : undefined
}
