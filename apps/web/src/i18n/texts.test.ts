import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ASSET_IDS } from '@clearwell/money/asset'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'

/** A node of the syntax tree, as far as this test looks at one. */
interface Node {
  readonly type: string
  readonly [property: string]: unknown
}

const src = join(import.meta.dirname, '..')
const sources = globSync('{.,../../../packages/ui/src}/**/*.{ts,tsx}', { cwd: src })
  .filter((file) => !/generated|testing\/|\.test\.tsx?$/.test(file))
  .sort()
const messageKeys = globSync('{.,../../../packages/ui/src}/**/*.messages.zh-HK.json', { cwd: src }).flatMap((file) =>
  Object.keys(JSON.parse(readFileSync(join(src, file), 'utf8'))),
)

/** Attributes with text for users, visible or read by a screen reader. */
const SPOKEN_ATTRIBUTES = /^(title|aria-label|aria-description|aria-valuetext|alt|placeholder|label|text|hint|detail)$/

/**
 * The same in every language: the keys of messages, the names of assets, the name of each language in itself, how a hash
 * begins, how a node speaks.
 */
const NOT_LANGUAGE = new Set<string>([...messageKeys, ...ASSET_IDS, 'EN', '中', '0x…', 'RPC', '明池'])

describe('user-visible text is in the message files alone', () => {
  test.each(sources)('%s has none', (file) => {
    expect(spokenTexts(read(file), file)).toEqual([])
  })
})

test('the search finds every form of a literal text', () => {
  const source = `
    const a = <p>Hello</p>
    const b = <p title="Hello" aria-label={'Hel' + name} alt={\`Hello \${name}\`} className="flex" />
    const c = <p>{open ? 'Hello' : name}</p>
    const d = <p>{open && \`Hello\`}</p>
    const e = '你好'
    const f = [{ label: 'Hello', value: name }, { key: 'Hello' }]
    showToast('Hello')
    const g = <p key="x" className={open ? 'flex' : 'grid'}>{m.hello()} · 3% {'/'}</p>`
  expect(spokenTexts(source, 'sample.tsx')).toEqual([
    'Hello',
    'Hello',
    'Hel',
    'Hello ',
    'Hello',
    'Hello',
    '你好',
    'Hello',
    'Hello',
  ])
})

test('every used message exists and every message is used', () => {
  const used = new Set(sources.flatMap((file) => [...read(file).matchAll(/\bm\.(\w+)/g)].map(([, key]) => key)))
  const known = new Set(messageKeys)
  expect([...used].filter((key) => !known.has(key ?? ''))).toEqual([])
  expect(messageKeys.filter((key) => !used.has(key))).toEqual([])
})

function spokenTexts(source: string, file: string): string[] {
  const { program, errors } = parseSync(file, source)
  expect(errors).toEqual([])
  const found: string[] = []
  const see = (text: string) => {
    if (/\p{Letter}/u.test(text) && !NOT_LANGUAGE.has(text.trim())) found.push(text)
  }
  visit(program as unknown as Node, (node, parents) => {
    if (node.type === 'JSXText') see(node.value as string)
    const text = literalText(node)
    if (text === undefined) return
    if (/\p{Script=Han}/u.test(text) || isSpoken(node, parents)) see(text)
  })
  return found
}

/** Returns the text of a literal or a part of a template. */
function literalText(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type === 'TemplateElement') return (node.value as { cooked: string }).cooked
  return undefined
}

/** Returns whether a literal appears unchanged in a text attribute, between two tags, or in a toast. */
function isSpoken(node: Node, parents: readonly Node[]): boolean {
  let child = node
  for (const parent of parents.toReversed()) {
    if (parent.type === 'JSXAttribute') return SPOKEN_ATTRIBUTES.test((parent.name as { name: string }).name)
    if (parent.type === 'JSXElement' || parent.type === 'JSXFragment') return true
    if (parent.type === 'Property') {
      return parent.value === child && SPOKEN_ATTRIBUTES.test((parent.key as { name?: string }).name ?? '')
    }
    if (parent.type === 'CallExpression') return (parent.callee as { name?: string }).name === 'showToast'
    if (!isPassedOn(child, parent)) return false
    child = parent
  }
  return false
}

function isPassedOn(child: Node, parent: Node): boolean {
  if (parent.type === 'ConditionalExpression') return parent.test !== child
  return (
    /^(JSXExpressionContainer|TemplateLiteral|LogicalExpression|ParenthesizedExpression|TSAsExpression)$/.test(
      parent.type,
    ) ||
    (parent.type === 'BinaryExpression' && parent.operator === '+')
  )
}

function visit(node: Node, see: (node: Node, parents: readonly Node[]) => void, parents: readonly Node[] = []): void {
  see(node, parents)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && 'type' in child) visit(child as Node, see, [...parents, node])
    }
  }
}

function read(file: string): string {
  return readFileSync(join(src, file), 'utf8')
}
