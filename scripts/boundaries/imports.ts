import { posix } from 'node:path'
import { childrenOf, isNode, literal, nameOf, type ParsedSource, type SyntaxNode } from './sources.ts'

export interface Import {
  /** `undefined` where the module name is computed at run time. */
  readonly specifier: string | undefined
  readonly offset: number
}

/** The packages of this repository that export files, by folder. */
const WORKSPACES = [
  'packages/money',
  'packages/rules',
  'packages/api',
  'packages/ledger',
  'packages/verify',
  'packages/proofs',
  'packages/ui',
  'apps/web',
  'apps/server',
  'vault',
  'e2e',
  'sim',
  'cluster',
  'bench',
  'demo',
  'bookkeeper',
  'exit-kit',
  'watch',
]

/** Every module that a file names: imports of values and types, re-exports, `import()`, globs and mocks. */
export function importsOf({ program }: ParsedSource): Import[] {
  const found: Import[] = []
  const visit = (node: SyntaxNode) => {
    for (const name of modulesNamedBy(node)) found.push({ specifier: literal(name), offset: node.start })
    childrenOf(node).forEach(visit)
  }
  visit(program)
  return found
}

/**
 * The file that a relative or `@clearwell/` specifier names, from the root of the repository; `undefined` for
 * packages of others. `@clearwell/rules/swap` is packages/rules/src/swap.ts; apps, e2e, sim, cluster, bench, demo, bookkeeper, exit-kit and watch export their files.
 */
export function resolveImport(path: string, specifier: string): string | undefined {
  if (isRelative(specifier)) return posix.join(posix.dirname(path), specifier)
  const match = /^@clearwell\/([\w-]+)(?:\/(.+))?$/.exec(specifier)
  if (!match) return undefined
  const [, name = '', rest = ''] = match
  const folder = WORKSPACES.find((each) => posix.basename(each) === name)
  if (!folder) return undefined
  if (folder === 'vault' && !/\.\w+$/.test(rest)) return `${folder}/${rest}.ts`
  // The files of packages/ui are named with their endings, because some are components.
  if (folder === 'packages/ui') return rest.startsWith('build/') ? `${folder}/${rest}` : `${folder}/src/${rest}`
  return folder.startsWith('packages/') ? `${folder}/src/${rest}.ts` : `${folder}/${rest}`
}

export function isRelative(specifier: string): boolean {
  return specifier === '.' || specifier === '..' || /^\.\.?\//.test(specifier)
}

/** The expressions that name modules, for each way in which TypeScript, Vite and Vitest can name one. */
function modulesNamedBy(node: SyntaxNode): unknown[] {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return [node.source]
    case 'ExportNamedDeclaration':
      return node.source ? [node.source] : []
    case 'TSExternalModuleReference':
      return [node.expression]
    case 'CallExpression': {
      const [first] = node.arguments as unknown[]
      const callee = nameOf(node.callee) ?? ''
      if (callee === 'import.meta.glob')
        return isNode(first) && first.type === 'ArrayExpression' ? (first.elements as unknown[]) : [first]
      const takesModule = ['require', 'require.resolve', 'import.meta.resolve'].includes(callee)
      return takesModule || /^vi\.(do)?(un)?mock$|^vi\.import(Actual|Mock)$/i.test(callee) ? [first] : []
    }
    default:
      return []
  }
}
