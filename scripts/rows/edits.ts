import { childrenOf, isNode, type SyntaxNode } from '../boundaries/sources.ts'
import type { Edit, Replacement } from './breakage.ts'

/**
 * The edits that breakages make. Each looks in a named declaration (function, constant, method or property; `''` is the whole
 * file, `outer > inner` one within another), so that it survives changes of format and of the code around it.
 */

/** Gives a constant, a property, a parameter or an attribute of JSX another value. */
export function set(scope: string, name: string, code: string): Edit {
  return edit(`${scope || 'the file'}: ${name} is ${code}`, scope, (node, text) => {
    if (nameOfDeclaration(node) !== name) return undefined
    const value = initialOf(node)
    if (!value) return undefined
    if (text.slice(value.start, value.end) === code) return undefined
    const written = node.type === 'JSXAttribute' ? `{${code}}` : node.shorthand === true ? `${name}: ${code}` : code
    return { start: value.start, end: value.end, text: written }
  })
}

/** Negates the first condition that mentions this name. */
export function negate(scope: string, mention: string): Edit {
  return onCondition(scope, mention, 'is negated', (code) => `!(${code})`)
}

/** Makes the first condition that mentions this name never true. */
export function never(scope: string, mention: string): Edit {
  return onCondition(scope, mention, 'is never true', () => 'false')
}

/** Makes the first condition that mentions this name always true. */
export function always(scope: string, mention: string): Edit {
  return onCondition(scope, mention, 'is always true', () => 'true')
}

/** Drops the calls of a function: `a.b` or `b` names it. */
export function dropCall(scope: string, callee: string): Edit {
  return edit(`${scope || 'the file'}: does not call ${callee}`, scope, (node, text) => {
    if (node.type !== 'CallExpression') return undefined
    const { start, end } = node.callee as SyntaxNode
    return endsWithName(text.slice(start, end), callee)
      ? { start: node.start, end: node.end, text: 'undefined' }
      : undefined
  })
}

/** Drops a property of an object, an attribute of JSX, or an element of an array that is this literal. */
export function drop(scope: string, name: string): Edit {
  return edit(`${scope || 'the file'}: drops ${name}`, scope, (node, text) => {
    const isProperty = node.type === 'Property' || node.type === 'JSXAttribute'
    if (!(isProperty && nameOfDeclaration(node) === name) && !isElement(node, name)) return undefined
    const comma = /^\s*,/.exec(text.slice(node.end))?.[0].length ?? 0
    return { start: node.start, end: node.end + comma, text: '' }
  })
}

/** Gives the object that is this constant's or property's value one more property, the last. */
export function add(scope: string, name: string, property: string): Edit {
  return edit(`${scope || 'the file'}: ${name} has ${property}`, scope, (node, text) => {
    const value = nameOfDeclaration(node) === name ? initialOf(node) : undefined
    if (value?.type !== 'ObjectExpression') return undefined
    const isOpen =
      /,\s*\}$/.test(text.slice(value.start, value.end)) || text.slice(value.start + 1, value.end - 1).trim() === ''
    return { start: value.end - 1, end: value.end, text: `${isOpen ? '' : ', '}${property} }` }
  })
}

/** Reads another name: `order.interest` becomes `order.total_debt`, and the variable `direct` becomes `total`. */
export function read(scope: string, from: string, to: string): Edit {
  return edit(`${scope || 'the file'}: reads ${to} for ${from}`, scope, (node, _text, parent) => {
    if (node.type !== 'Identifier' && node.type !== 'JSXIdentifier') return undefined
    if (node.name !== from || !isReference(node, parent)) return undefined
    // `{ from }` reads it too, and must keep its name.
    const isShorthand = parent?.type === 'Property' && parent.shorthand === true
    return { start: node.start, end: node.end, text: isShorthand ? `${from}: ${to}` : to }
  })
}

/** Exchanges the values of two properties or attributes. */
export function swap(scope: string, one: string, other: string): Edit {
  return {
    about: `${scope || 'the file'}: ${one} and ${other} are exchanged`,
    find(program, text) {
      const values = [one, other].map((name) => {
        const found = scopesOf(program, scope)
          .flatMap((each) => nodesIn(each))
          .find(({ node }) => nameOfDeclaration(node) === name)
        return found && initialOf(found.node)
      })
      const [first, second] = values
      if (!first || !second) return []
      const codeOf = ({ start, end }: SyntaxNode) => text.slice(start, end)
      return [
        { start: first.start, end: first.end, text: codeOf(second) },
        { start: second.start, end: second.end, text: codeOf(first) },
      ]
    },
  }
}

/** Writes another literal in place of this one, which is a number, a text or a boolean. */
export function literal(scope: string, from: number | string | boolean | bigint, to: number | string | boolean): Edit {
  return edit(`${scope || 'the file'}: ${from} is ${to}`, scope, (node) => {
    const value =
      node.type === 'Literal' ? (node.bigint === undefined ? node.value : BigInt(node.bigint as string)) : undefined
    if (value !== from) return undefined
    return { start: node.start, end: node.end, text: typeof from === 'bigint' ? `${to}n` : JSON.stringify(to) }
  })
}

/** Replaces the operator of the first comparison or sum that mentions this name. */
export function operator(scope: string, mention: string, to: string): Edit {
  return edit(`${scope || 'the file'}: ${mention} is compared by ${to}`, scope, (node, text) => {
    if (node.type !== 'BinaryExpression' && node.type !== 'LogicalExpression') return undefined
    const { left, right, operator: from } = node as unknown as { left: SyntaxNode; right: SyntaxNode; operator: string }
    if (from === to || !mentions(text.slice(node.start, node.end), mention)) return undefined
    const at = text.indexOf(from, left.end)
    return at < right.start ? { start: at, end: at + from.length, text: to } : undefined
  })
}

/** Lets a function return this immediately. */
export function returns(scope: string, code: string): Edit {
  return {
    about: `${scope} returns ${code}`,
    find(program) {
      const [found] = scopesOf(program, scope)
      const body =
        found &&
        nodesIn(found)
          .map(({ node }) => node.body)
          .find((each) => isNode(each) && each.type !== 'ClassBody')
      if (!isNode(body)) return []
      const isBlock = body.type === 'BlockStatement' || body.type === 'FunctionBody'
      return [{ start: body.start, end: body.end, text: isBlock ? `{ return ${code} }` : `(${code})` }]
    },
  }
}

type Look = (node: SyntaxNode, text: string, parent: SyntaxNode | undefined) => Replacement | undefined

/** An edit of every outermost place that fits within the scope. */
function edit(about: string, scope: string, look: Look): Edit {
  return {
    about,
    find: (program, text) => {
      const found: Replacement[] = []
      for (const { node, parent } of scopesOf(program, scope).flatMap((each) => nodesIn(each))) {
        if (found.some(({ start, end }) => start <= node.start && node.end <= end)) continue
        const replacement = look(node, text, parent)
        if (replacement) found.push(replacement)
      }
      return found
    },
  }
}

function onCondition(scope: string, mention: string, about: string, change: (code: string) => string): Edit {
  return {
    about: `${scope || 'the file'}: the condition on ${mention} ${about}`,
    find(program, text) {
      for (const { node } of scopesOf(program, scope).flatMap((each) => nodesIn(each))) {
        const condition = node.type === 'LogicalExpression' ? node.left : node.test
        if (!isNode(condition)) continue
        const code = text.slice(condition.start, condition.end)
        if (mentions(code, mention)) return [{ start: condition.start, end: condition.end, text: change(code) }]
      }
      return []
    },
  }
}

/** The declarations of this name. */
function scopesOf(program: SyntaxNode, scope: string): SyntaxNode[] {
  if (scope === '') return [program]
  return scope.split(' > ').reduce<SyntaxNode[]>(
    (within, name) => {
      const found = within
        .flatMap((each) => nodesIn(each))
        .filter(({ node }) => !within.includes(node) && nameOfDeclaration(node) === name)
      // A function before a property of the same name.
      const declared = found.find(({ node }) => node.type === 'FunctionDeclaration') ?? found[0]
      return declared ? [declared.node] : []
    },
    [program],
  )
}

interface Placed {
  readonly node: SyntaxNode
  readonly parent: SyntaxNode | undefined
}

/** Properties of patterns: `{ total } = …` declares names and has no values. */
const isPattern = ({ type }: SyntaxNode) => type === 'ObjectPattern'

/** A node and all nodes below it, in the order of the source. Of a pattern only its defaults. */
function nodesIn(node: SyntaxNode, parent?: SyntaxNode): Placed[] {
  const children = isPattern(node)
    ? childrenOf(node).flatMap((each) =>
        isNode(each.value) && each.value.type === 'AssignmentPattern' ? [each.value] : [],
      )
    : childrenOf(node)
  const inOrder = children.toSorted((a, b) => a.start - b.start)
  return [{ node, parent }, ...inOrder.flatMap((child) => nodesIn(child, node))]
}

function nameOfDeclaration(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
    case 'VariableDeclarator':
      return textOfName(node.id)
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return textOfName(node.key)
    case 'JSXAttribute':
      return textOfName(node.name)
    case 'AssignmentPattern':
      return textOfName(node.left)
    default:
      return undefined
  }
}

function initialOf(node: SyntaxNode): SyntaxNode | undefined {
  const value =
    node.type === 'VariableDeclarator' ? node.init : node.type === 'AssignmentPattern' ? node.right : node.value
  return isNode(value) ? value : undefined
}

/** The name of an identifier, or the text of a literal. A negative number is its sign and digits. */
function textOfName(name: unknown): string | undefined {
  if (!isNode(name)) return undefined
  if (name.type === 'Identifier' || name.type === 'JSXIdentifier' || name.type === 'PrivateIdentifier')
    return name.name as string
  if (name.type === 'Literal') return String(name.value)
  if (name.type !== 'UnaryExpression') return undefined
  return `${name.operator}${textOfName(name.argument)}`
}

function isElement(node: SyntaxNode, name: string): boolean {
  const text = textOfName(node)
  return text === name && (node.type === 'Literal' || node.type === 'UnaryExpression')
}

/** Returns true for an identifier that reads a value, and false for a name in a declaration. */
function isReference(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  if (!parent) return true
  if (parent.type === 'Property') return parent.value === node || (parent.shorthand === true && parent.key !== node)
  return (
    !['VariableDeclarator', 'FunctionDeclaration', 'JSXAttribute', 'ImportSpecifier', 'MethodDefinition'].includes(
      parent.type,
    ) || parent.init === node
  )
}

function endsWithName(code: string, name: string): boolean {
  return code === name || code.endsWith(`.${name}`)
}

function mentions(code: string, name: string): boolean {
  return new RegExp(`(?<![\\w$])${name.replace(/[$.*+?^()[\]{}|\\]/g, '\\$&')}(?![\\w$])`).test(code)
}
