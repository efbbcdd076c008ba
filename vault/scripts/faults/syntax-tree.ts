import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** A node of the tree that solc writes. `src` is `start:length:file` in bytes. */
export interface SyntaxNode {
  readonly nodeType: string
  readonly src: string
  readonly [field: string]: unknown
}

export interface SourceFile {
  /** Name in the folder, such as `Payments.sol`. */
  readonly name: string
  /** One character for each byte, so the offsets of the tree are places in it. */
  readonly bytes: string
  readonly tree: SyntaxNode
}

interface Compiler {
  compile(input: string): string
}

/** Parses every contract of a folder with solc. It only parses: no imports are read and nothing is optimized. */
export function readSourceFiles(folder: string): SourceFile[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sol'))
  const texts = new Map(names.map((name) => [name, readFileSync(join(folder, name))]))
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries([...texts].map(([name, text]) => [name, { content: text.toString('utf8') }])),
    settings: { stopAfter: 'parsing', outputSelection: { '*': { '': ['ast'] } } },
  }
  const compiler = createRequire(import.meta.url)('solc') as Compiler
  const output = JSON.parse(compiler.compile(JSON.stringify(input))) as {
    errors?: { severity: string; formattedMessage: string }[]
    sources: Record<string, { ast: SyntaxNode }>
  }
  const error = output.errors?.find(({ severity }) => severity === 'error')
  if (error) throw new Error(error.formattedMessage)
  return [...texts].map(([name, text]) => ({
    name,
    bytes: text.toString('latin1'),
    tree: (output.sources[name] as { ast: SyntaxNode }).ast,
  }))
}

export function rangeOf({ src }: SyntaxNode): { readonly start: number; readonly end: number } {
  const [start = 0, length = 0] = src.split(':').map(Number)
  return { start, end: start + length }
}

/** The nodes directly below a node. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode))
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'nodeType' in value
}
