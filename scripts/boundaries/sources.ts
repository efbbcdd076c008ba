import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'oxc-parser'

/** Reads and parses the repository's source files for the checks in this folder. */

export interface Source {
  /** From the root of the repository, with forward slashes. */
  readonly path: string
  readonly text: string
}

export interface ParsedSource extends Source {
  readonly program: SyntaxNode
  readonly comments: readonly { readonly value: string; readonly start: number; readonly end: number }[]
  readonly errors: readonly string[]
}

export interface Fault {
  readonly path: string
  readonly line: number
  /** Says what is wrong and how to repair it. */
  readonly message: string
}

export type SyntaxNode = { readonly type: string; readonly start: number; readonly end: number } & Record<
  string,
  unknown
>

const SKIPPED_FOLDERS = new Set([
  'node_modules',
  'dist',
  'out',
  'cache',
  'generated',
  'test-results',
  'playwright-report',
])

/** Every hand-written TypeScript or JavaScript module under `root`. */
export function readSources(root: string): Source[] {
  const isSkipped = (name: string) => SKIPPED_FOLDERS.has(name) || name.startsWith('.')
  return globSync('**/*.{ts,tsx,mts,mjs}', { cwd: root, exclude: (path) => isSkipped(posix.basename(path)) })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

export function parse(source: Source): ParsedSource {
  const { program, comments, errors } = parseSync(source.path, source.text)
  return {
    ...source,
    program: program as unknown as SyntaxNode,
    comments,
    errors: errors.map(({ message }) => message),
  }
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** Tests, benchmarks and test doubles. */
export function isTestCode(path: string): boolean {
  return /(\.(test|bench)\.tsx?|\/testing\/.*)$/.test(path)
}

/** Loops, because the checks ask about millions of nodes: a new array of all values takes most of their time. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = []
  for (const key in node) {
    const value = node[key]
    if (isNode(value)) found.push(value)
    else if (Array.isArray(value)) found.push(...value.filter(isNode))
  }
  return found
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string'
}

/** `a.b.c` for a chain of plain names, `a['b']` included. */
export function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Identifier') return node.name as string
  if (node.type === 'MetaProperty') return 'import.meta'
  if (node.type !== 'MemberExpression') return undefined
  const object = nameOf(node.object)
  const property = node.computed ? literal(node.property) : nameOf(node.property)
  return object && property ? `${object}.${property}` : undefined
}

/** The text of a string, or of a template without holes. */
export function literal(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateLiteral') return undefined
  const quasis = node.quasis as { value: { cooked: string } }[]
  return quasis.length === 1 ? quasis[0]?.value.cooked : undefined
}
