import { childrenOf, isNode, rangeOf, type SourceFile, type SyntaxNode } from './syntax-tree.ts'

/** One edit of one contract that makes it wrong. */
export interface Fault {
  readonly file: string
  /** The function that contains it. */
  readonly where: string
  readonly line: number
  /** The code before and after, on one line. */
  readonly about: string
  readonly start: number
  readonly end: number
  readonly text: string
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Operators that the same operands take. The first list moves a limit by one, the second turns a question around. */
const OTHER_OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '==': ['!='],
  '!=': ['=='],
  '&&': ['||'],
  '||': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['+'],
  '+=': ['-=', '='],
  '-=': ['+='],
}

/** Every fault that the rules below make, in the order of the sources. */
export function findFaults(files: readonly SourceFile[]): Fault[] {
  return files.flatMap((file) => {
    const found: Fault[] = []
    visit(file.tree, '', (node, where) => {
      for (const edit of editsOf(node, file.bytes)) found.push(faultOf(file, where, edit))
    })
    return found
  })
}

/** The contract's bytes with the fault. */
export function plant(bytes: string, { start, end, text }: Edit): string {
  return bytes.slice(0, start) + text + bytes.slice(end)
}

export function faultOf(file: SourceFile, where: string, edit: Edit): Fault {
  const before = oneLine(file.bytes.slice(edit.start, edit.end))
  return {
    file: file.name,
    where,
    line: file.bytes.slice(0, edit.start).split('\n').length,
    about: edit.text === '{}' || edit.text === '' ? `without ${before}` : `${before} -> ${oneLine(edit.text)}`,
    ...edit,
  }
}

function visit(node: SyntaxNode, where: string, see: (node: SyntaxNode, where: string) => void): void {
  // Interfaces, events and errors do nothing. Assembly has its own tests.
  if (['EventDefinition', 'ErrorDefinition', 'InlineAssembly', 'EmitStatement'].includes(node.nodeType)) return
  const isFunction = node.nodeType === 'FunctionDefinition'
  const inside = isFunction ? String(node.name || node.kind) : where
  see(node, inside)
  for (const child of childrenOf(node)) visit(child, inside, see)
}

function editsOf(node: SyntaxNode, bytes: string): Edit[] {
  const { start, end } = rangeOf(node)
  const code = bytes.slice(start, end)
  switch (node.nodeType) {
    case 'BinaryOperation':
      return otherOperators(node, node.leftExpression, node.rightExpression, bytes)
    case 'Assignment':
      return otherOperators(node, node.leftHandSide, node.rightHandSide, bytes)
    case 'ExpressionStatement':
      return [{ start, end: end + (bytes[end] === ';' ? 1 : 0), text: '{}' }]
    case 'IfStatement':
      return onlyReverts(node.trueBody) && !isNode(node.falseBody)
        ? [{ start, end: afterStatement(bytes, end), text: '{}' }]
        : []
    case 'Conditional':
      return [swapBranches(node, bytes)]
    case 'UnaryOperation':
      return node.operator === '!' ? [{ start, end, text: code.slice(1) }] : []
    case 'Literal':
      return node.kind === 'number' && /^\d(?!x)/.test(code) ? [oneMore(start, code)] : []
    case 'MemberAccess':
      return /Rounding\.Ceil$/.test(code) ? [{ start, end, text: code.replace(/Ceil$/, 'Floor') }] : []
    default:
      return []
  }
}

function otherOperators(node: SyntaxNode, left: unknown, right: unknown, bytes: string): Edit[] {
  if (!isNode(left) || !isNode(right)) return []
  const start = rangeOf(left).end
  const between = bytes.slice(start, rangeOf(right).start)
  const operator = String(node.operator)
  const place = start + between.indexOf(operator)
  return (OTHER_OPERATORS[operator] ?? []).map((text) => ({ start: place, end: place + operator.length, text }))
}

function onlyReverts(body: unknown): boolean {
  if (!isNode(body)) return false
  if (body.nodeType === 'RevertStatement') return true
  const statements = body.nodeType === 'Block' ? (body.statements as SyntaxNode[]) : []
  return statements.length === 1 && statements[0]?.nodeType === 'RevertStatement'
}

/** The range of a statement may end before its semicolon. */
function afterStatement(bytes: string, end: number): number {
  return bytes[end] === ';' ? end + 1 : end
}

function swapBranches(node: SyntaxNode, bytes: string): Edit {
  const [yes, no] = [node.trueExpression, node.falseExpression].map((each) => rangeOf(each as SyntaxNode))
  if (!yes || !no) throw new Error('a conditional has two branches')
  const [first, between, second] = [
    bytes.slice(yes.start, yes.end),
    bytes.slice(yes.end, no.start),
    bytes.slice(no.start, no.end),
  ]
  return { start: yes.start, end: no.end, text: second + between + first }
}

/** `7 days` becomes `8 days`, `0` becomes `1`. */
function oneMore(start: number, code: string): Edit {
  const [digits = ''] = /^[\d_.e]+/.exec(code) ?? []
  const more = /^\d+$/.test(digits) ? String(BigInt(digits) + 1n) : `(${digits} + 1)`
  return { start, end: start + digits.length, text: more }
}

function oneLine(code: string): string {
  const text = Buffer.from(code, 'latin1').toString('utf8').replaceAll(/\s+/g, ' ')
  return text.length > 70 ? `${text.slice(0, 67)}...` : text
}
