import { childrenOf, isNode, lineAt, parse, type SyntaxNode } from '../boundaries/sources.ts'

/** One small change of a file, found by its syntax. */
export interface Mutant {
  readonly file: string
  readonly line: number
  readonly start: number
  readonly end: number
  readonly from: string
  readonly to: string
}

/** The other operator, which moves a limit by one step or turns a rule around. */
const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
}

/** Declarations without an effect at run time, and a command's hint of what to load. */
const isWithoutEffect = (node: SyntaxNode) =>
  /^(TS|Import|Export.*Specifier|TemplateLiteral)/.test(node.type) ||
  (node.type === 'Property' && isNode(node.key) && node.key.name === 'preload')

/** All mutants of a file, in the order of the source. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const found: Mutant[] = []
  const add = (node: Pick<SyntaxNode, 'start' | 'end'>, to: string) => {
    const { start, end } = node
    found.push({ file, line: lineAt(text, start), start, end, from: text.slice(start, end), to })
  }
  const visit = (node: SyntaxNode) => {
    if (isWithoutEffect(node)) return
    mutate(node, text, add)
    for (const child of childrenOf(node)) visit(child)
  }
  visit(parse({ path: file, text }).program)
  return found.toSorted((a, b) => a.start - b.start)
}

export function applyMutant({ start, end, to }: Mutant, text: string): string {
  return text.slice(0, start) + to + text.slice(end)
}

function mutate(
  node: SyntaxNode,
  text: string,
  add: (node: Pick<SyntaxNode, 'start' | 'end'>, to: string) => void,
): void {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const { left, right, operator } = node as unknown as { left: SyntaxNode; right: SyntaxNode; operator: string }
      const to = OPERATORS[operator]
      const start = text.indexOf(operator, left.end)
      if (to !== undefined && start !== -1 && start < right.start) add({ start, end: start + operator.length }, to)
      return
    }
    case 'IfStatement':
    case 'ConditionalExpression': {
      const test = node.test as SyntaxNode
      add(test, 'true')
      add(test, 'false')
      return
    }
    case 'ExpressionStatement':
      // Also `await send()` as a statement: its effect is gone.
      if (/Call|Await/.test((node.expression as SyntaxNode).type)) add(node, ';')
      return
    case 'Literal':
      if (typeof node.value === 'boolean') add(node, String(!node.value))
      else if (typeof node.value === 'number') add(node, String(node.value + 1))
      else if (typeof node.bigint === 'string') add(node, `${BigInt(node.bigint) + 1n}n`)
      return
    default:
  }
}
