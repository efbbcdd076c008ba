import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync } from 'oxc-parser'

/**
 * Holds the arrows of the architecture: what may import what, that features never import each other, and that time and
 * randomness come in through ports. Reads the syntax tree, so an import in a comment or a text does not count and one in a
 * type does.
 */

/** What the server stands on: whoever drives the server from outside may use it too. */
const SERVER = ['packages/api', 'packages/rules', 'packages/ledger', 'packages/money', 'vault']

/** A → B of the architecture page, by the folder of a part. Nothing else is allowed. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  'packages/money': [],
  'packages/rules': ['packages/money'],
  'packages/api': ['packages/money'],
  'packages/ledger': ['packages/money'],
  'apps/web': ['packages/api', 'packages/rules', 'packages/money', 'vault'],
  'apps/server': SERVER,
  vault: [],
  e2e: ['apps/web', 'apps/server', ...SERVER, 'scripts'],
  sim: ['apps/web', 'apps/server', ...SERVER, 'scripts'],
  bench: ['apps/web', 'apps/server', ...SERVER, 'scripts'],
  scripts: [],
}

/** Pure parts: they run in the browser and in the server and answer the same for the same input, so they import no package. */
const PURE = ['packages/money', 'packages/rules']

/** Parts that the browser loads, where Node's own modules do not exist. */
const BROWSER = ['packages/money', 'packages/rules', 'packages/api', 'apps/web/src']

/** Code that takes time and randomness from its ports. */
const NO_CLOCK = /^(packages\/|apps\/server\/src\/features\/)/
const CLOCKS: Readonly<Record<string, string>> = {
  'Date.now': 'Date.now',
  'Math.random': 'Math.random',
  'performance.now': 'performance.now',
}

const TEST_FILE = /(\.(test|bench)\.tsx?|\/testing\/.*)$/
const SKIPPED_FOLDERS = new Set([
  'node_modules',
  'dist',
  'out',
  'cache',
  'generated',
  'test-results',
  'playwright-report',
])

export interface Source {
  /** From the root of the repository, with forward slashes. */
  readonly path: string
  readonly text: string
}

export interface Fault {
  readonly path: string
  readonly line: number
  readonly message: string
}

export interface BoundaryReport {
  readonly files: number
  readonly imports: number
  readonly faults: readonly Fault[]
}

/** Every TypeScript file under `root` that is ours and written by hand. */
export function readSources(root: string): Source[] {
  const isSkipped = (name: string) => SKIPPED_FOLDERS.has(name) || name.startsWith('.')
  return globSync('**/*.{ts,tsx,mts}', { cwd: root, exclude: (path) => isSkipped(posix.basename(path)) })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

export function checkBoundaries(sources: readonly Source[]): BoundaryReport {
  const faults: Fault[] = []
  let imports = 0
  for (const source of sources) {
    const lineAt = (offset: number) => source.text.slice(0, offset).split('\n').length
    const report = (offset: number, message: string) => {
      faults.push({ path: source.path, line: lineAt(offset), message })
    }
    const facts = readFacts(source)
    for (const error of facts.errors) report(0, `cannot be read: ${error}`)
    for (const { specifier, offset } of facts.imports) {
      imports += 1
      const message = specifier === undefined ? faultOfComputed(source.path) : faultOfImport(source.path, specifier)
      if (message) report(offset, message)
    }
    if (NO_CLOCK.test(source.path) && !TEST_FILE.test(source.path)) {
      for (const { name, offset } of facts.clocks)
        report(offset, `${name} is not allowed here: time and randomness are ports`)
    }
  }
  if (sources.length === 0) faults.push({ path: '.', line: 0, message: 'not one file was read' })
  else if (imports === 0) faults.push({ path: '.', line: 0, message: 'not one import was found' })
  return { files: sources.length, imports, faults }
}

// ---- rules

function faultOfImport(path: string, specifier: string): string | undefined {
  const from = partOf(path)
  if (!from) return 'is in no part of the house that the architecture names'
  if (from === '.') return undefined
  if (/^(@\/|~|#|\/|https?:|file:|data:)/.test(specifier))
    return `imports "${specifier}", which this check cannot place`

  const isRelative = specifier === '.' || specifier === '..' || /^\.\.?\//.test(specifier)
  const target = isRelative ? posix.join(posix.dirname(path), specifier) : fileOfWorkspace(specifier)
  if (target === undefined) return faultOfPackage(path, from, specifier)

  const to = partOf(target)
  if (!to || to === '.') return `imports "${specifier}", which is in no part of the house`
  if (to !== from) {
    if (isRelative && to !== 'scripts') return `imports another part by path: "${specifier}"; name its package instead`
    if (!ARROWS[from]?.includes(to)) return `${from} must not import ${to} ("${specifier}")`
    if (to === 'vault' && !target.startsWith('vault/abi/')) return `only vault/abi may be imported, not "${specifier}"`
    return undefined
  }
  const [own, other] = [featureOf(path), featureOf(target)]
  if (own && other && own !== other) return `feature ${own} must not import feature ${other} ("${specifier}")`
  return undefined
}

function faultOfPackage(path: string, from: string, specifier: string): string | undefined {
  if (specifier.startsWith('@clearwell/')) return `imports "${specifier}", which is in no part of the house`
  if (TEST_FILE.test(path)) return undefined
  if (PURE.includes(from)) return `${from} is pure and must not import "${specifier}"`
  if (specifier.startsWith('node:') && BROWSER.some((part) => path.startsWith(`${part}/`))) {
    return `"${specifier}" does not exist in a browser, where this runs too`
  }
  return undefined
}

/** An `import(…)` of something worked out at run time cannot be checked, so the house's core may not have one. */
function faultOfComputed(path: string): string | undefined {
  const isCore = /^(packages|apps)\//.test(path) && !TEST_FILE.test(path)
  return isCore ? 'imports something that is worked out at run time; write the module out' : undefined
}

function partOf(path: string): string | undefined {
  const [first = '', second = ''] = path.split('/')
  if (!path.includes('/')) return '.'
  if (first === 'packages' || first === 'apps') return `${first}/${second}` in ARROWS ? `${first}/${second}` : undefined
  return first in ARROWS ? first : undefined
}

/** `@clearwell/rules/swap` is packages/rules/src/swap.ts; the apps, e2e, sim and bench export nothing but their files. */
function fileOfWorkspace(specifier: string): string | undefined {
  const match = /^@clearwell\/([\w-]+)(?:\/(.+))?$/.exec(specifier)
  if (!match) return undefined
  const [, name = '', rest = ''] = match
  const part = Object.keys(ARROWS).find((folder) => posix.basename(folder) === name)
  if (!part) return undefined
  return part.startsWith('packages/') ? `${part}/src/${rest}.ts` : `${part}/${rest}`
}

function featureOf(path: string): string | undefined {
  return /^apps\/[\w-]+\/src\/features\/([^/]+)\//.exec(path)?.[1]
}

// ---- reading

interface Facts {
  readonly imports: { readonly specifier: string | undefined; readonly offset: number }[]
  readonly clocks: { readonly name: string; readonly offset: number }[]
  readonly errors: string[]
}

type Node = { readonly type: string; readonly start: number } & Record<string, unknown>

function readFacts({ path, text }: Source): Facts {
  const { program, errors } = parseSync(path, text)
  const facts: Facts = { imports: [], clocks: [], errors: errors.map((error) => error.message) }
  visit(program as unknown as Node, facts)
  return facts
}

function visit(node: Node, facts: Facts): void {
  const found = importedBy(node)
  if (found) facts.imports.push(...found.map((source) => ({ specifier: literal(source), offset: node.start })))
  const clock = clockOf(node)
  if (clock) facts.clocks.push({ name: clock, offset: node.start })
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, facts)
  }
}

/** The expressions that name modules, for each of the ways in which TypeScript, Vite and Vitest can name one. */
function importedBy(node: Node): unknown[] | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return [node.source]
    case 'ExportNamedDeclaration':
      return node.source ? [node.source] : undefined
    case 'TSExternalModuleReference':
      return [node.expression]
    case 'CallExpression': {
      const [first] = node.arguments as unknown[]
      const callee = nameOf(node.callee)
      if (callee === 'require' || callee === 'require.resolve' || callee === 'import.meta.resolve') return [first]
      if (callee === 'import.meta.glob')
        return isNode(first) && first.type === 'ArrayExpression' ? (first.elements as unknown[]) : [first]
      if (/^vi\.(do)?(un)?mock$|^vi\.import(Actual|Mock)$/i.test(callee ?? '')) return [first]
      return undefined
    }
    default:
      return undefined
  }
}

/** `Date.now`, `Math.random` and `performance.now` even where they are only handed on; `new Date()`; `Date()`. */
function clockOf(node: Node): string | undefined {
  if (node.type === 'MemberExpression') return CLOCKS[nameOf(node)?.replace(/^globalThis\./, '') ?? '']
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return undefined
  if (nameOf(node.callee)?.replace(/^globalThis\./, '') !== 'Date') return undefined
  if (node.type === 'CallExpression') return 'Date()'
  return (node.arguments as unknown[]).length === 0 ? 'new Date()' : undefined
}

/** `a.b.c` of a chain of plain names, `a['b']` included. */
function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Identifier') return node.name as string
  if (node.type === 'MetaProperty') return 'import.meta'
  if (node.type !== 'MemberExpression') return undefined
  const object = nameOf(node.object)
  const property = node.computed ? literal(node.property) : nameOf(node.property)
  return object && property ? `${object}.${property}` : undefined
}

/** The text of a string, or of a template without holes. */
function literal(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateLiteral') return undefined
  const quasis = node.quasis as { value: { cooked: string } }[]
  return quasis.length === 1 ? quasis[0]?.value.cooked : undefined
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

// ---- command line

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const report = checkBoundaries(readSources(join(import.meta.dirname, '..')))
  for (const { path, line, message } of report.faults) console.error(`${path}:${line} ${message}`)
  console.log(`${report.files} files, ${report.imports} imports, ${report.faults.length} faults`)
  process.exitCode = report.faults.length === 0 ? 0 : 1
}
