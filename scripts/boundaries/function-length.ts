import { childrenOf, isNode, isTestCode, lineAt, nameOf, type ParsedSource, type SyntaxNode } from './sources.ts'

/** A function fits on a screen. */
const MAX_FUNCTION_LINES = 70
/** Markup takes lines without taking thought. */
const MAX_COMPONENT_LINES = 100

/** Functions that may be longer, as `file function`, each with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {}

export interface LongFunction {
  readonly name: string
  readonly offset: number
  readonly lines: number
  readonly maxLines: number
}

/**
 * Functions that are too long, counted from their first line to their last. The callbacks of `describe`, `test` and their
 * hooks do not count, nor do functions `test…` in `testing/`, which tests of one server share: they list cases. Helper
 * functions in tests do.
 */
export function longFunctionsIn(source: ParsedSource): LongFunction[] {
  const found: LongFunction[] = []
  const isTest = isTestCode(source.path)
  const visit = (node: SyntaxNode, name: string) => {
    const own = isFunction(node) ? (nameOf(node.id) ?? name) : undefined
    if (own !== undefined && !listsCases(own, source.path)) {
      const maxLines = isComponent(own, source.path) ? MAX_COMPONENT_LINES : MAX_FUNCTION_LINES
      const lines = lineAt(source.text.slice(node.start, node.end), node.end - node.start)
      if (lines > maxLines) found.push({ name: own, offset: node.start, lines, maxLines })
    }
    const cases = isTest ? callbacksOfTests(node) : []
    for (const child of childrenOf(node)) {
      if (cases.includes(child)) for (const each of childrenOf(child)) visit(each, 'a test')
      else visit(child, nameOfValue(node) ?? (own ? `a function in ${own}` : name))
    }
  }
  visit(source.program, 'the module')
  return found
}

export function isAllowed(path: string, name: string): boolean {
  const key = `${path.split('/').at(-1)} ${name}`
  return key in EXCEPTIONS
}

function isFunction({ type }: SyntaxNode): boolean {
  return type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'
}

function listsCases(name: string, path: string): boolean {
  return /^test[A-Z]/.test(name) && /\/testing\/.*\.ts$/.test(path)
}

function isComponent(name: string, path: string): boolean {
  return path.endsWith('x') && /^[A-Z]/.test(name)
}

/** The name that a value gets from where it is put: `const a = …`, `{ a: … }`, `a() {…}` in a class or an object. */
function nameOfValue(node: SyntaxNode): string | undefined {
  if (node.type === 'VariableDeclarator') return nameOf(node.id)
  if (node.type === 'Property' || node.type === 'MethodDefinition') return nameOf(node.key)
  return undefined
}

/** `test('…', { … }, () => …)`, `describe.each(…)('…', () => …)` and the like. */
function callbacksOfTests(node: SyntaxNode): SyntaxNode[] {
  if (node.type !== 'CallExpression') return []
  const { callee } = node
  const called = isNode(callee) && callee.type === 'CallExpression' ? callee.callee : callee
  if (!/^(test|it|describe|beforeAll|beforeEach|afterAll|afterEach)(\.|$)/.test(nameOf(called) ?? '')) return []
  return (node.arguments as SyntaxNode[]).filter(isFunction)
}
