import { expect, test } from 'vitest'
import { compileMessages, type Messages } from './compile-messages.ts'

const TEXT = '../../i18n/text.ts'

test('a message becomes a function of its variables', () => {
  const modules = compileMessages(
    {
      'zh-HK': { tips_sent: '已送出 {n} 份，共 {amount}', tips_title: '打賞' },
      en: { tips_title: 'Tips', tips_sent: { plural: 'n', one: '{n} tip of {amount}', other: '{n} tips of {amount}' } },
    },
    TEXT,
  )
  expect(Object.fromEntries(modules)).toEqual({
    'tips_sent.ts': `import { plural, text } from '../../i18n/text.ts'

export const tips_sent = (i: { amount: string | number; n: string | number }): string => text(\`已送出 \${i.n} 份，共 \${i.amount}\`, plural(i.n, \`\${i.n} tip of \${i.amount}\`, \`\${i.n} tips of \${i.amount}\`))
`,
    'tips_title.ts': `import { text } from '../../i18n/text.ts'

export const tips_title = (): string => text(\`打賞\`, \`Tips\`)
`,
    'index.ts': `export { tips_sent } from './tips_sent.ts'
export { tips_title } from './tips_title.ts'
`,
  })
})

test('a text may contain the signs of a template', () => {
  const tips_cost = ['C:\\ `x` costs $5, $', '{n}'].join('')
  const compiled = compileMessages({ en: { tips_cost } }, TEXT).get('tips_cost.ts') ?? ''
  const template = /text\((.*)\)/.exec(compiled)?.[1] ?? ''
  expect(new Function('i', `return ${template}`)({ n: 7 })).toBe('C:\\ `x` costs $5, $7')
})

test.each<[string, Record<string, Messages>, string]>([
  ['a missing text', { 'zh-HK': { a: '甲' }, en: {} }, 'the message a has no text in en'],
  ['a text that only English has', { 'zh-HK': {}, en: { a: 'A' } }, 'the message a has no text in zh-HK'],
  ['an open brace', { en: { a: 'A {n' } }, 'the message a has a brace that names no variable'],
  ['a brace around no name', { en: { a: 'A {n, plural}' } }, 'the message a has a brace that names no variable'],
  ['a key with a dot', { en: { 'a.b': 'A' } }, 'a.b is no name for a message'],
])('rejects %s', (_, languages, problem) => {
  expect(() => compileMessages(languages, TEXT)).toThrow(problem)
})
