import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readPayloads } from '../../content/read-payloads.ts'
import { payloadPath } from '../app/payload-path.ts'
import { ROUTES_OF_SPEC } from '../app/routes-of-spec.ts'

const CONTENT = join(import.meta.dirname, '../../content')
const HALF_WIDTH = /\p{Script=Han}[,.;:?()]|[,;:?()]\p{Script=Han}/u

test('every screen has its content in both languages, at a path of its own', () => {
  const payloads = readPayloads()
  expect(payloads).toHaveLength(74)
  const paths = payloads.map(({ route, locale }) => payloadPath(route, locale))
  expect(new Set(paths).size).toBe(74)
  expect(paths).toContain('/_payload.json')
  expect(paths).toContain('/en/_payload.json')
  expect(paths).toContain('/markets/_payload.json')
  expect(paths).toContain('/en/stake/lend/add/_payload.json')
})

test('the content is written as the interface is: no exclamation marks, Chinese punctuation beside Chinese', () => {
  for (const payload of readPayloads())
    for (const words of stringsOf(payload)) {
      expect(words).not.toMatch(/[!！您]/)
      if (payload.locale === 'zh-HK') expect(words).not.toMatch(HALF_WIDTH)
      else expect(words).not.toMatch(/\p{Script=Han}/u)
    }
})

test('what a part will do is said of parts that are not open, by their route files', () => {
  const routes = join(import.meta.dirname, '../routes/{-$locale}')
  const read = (route: string) =>
    [`${route}.tsx`, `${route}/index.tsx`]
      .map((file) => tryToRead(join(routes, file.replace('{name}', '$name'))))
      .join('')
  for (const { route, points } of readPayloads())
    expect(points !== undefined, route).toBe(read(route).includes('<NotOpenScreen'))
})

test.each([
  ['a missing language', (folder: string) => rmSync(join(folder, 'en/ranks.json')), 'en/ranks.json: is missing'],
  [
    'an unknown route',
    (folder: string) => cpSync(join(folder, 'en/ranks.json'), join(folder, 'en/rank.json')),
    'en/rank.json: no route',
  ],
  ['an empty text', edit('en/ranks.json', /"summary": ".*"/, '"summary": ""'), 'en/ranks.json: ✖ empty'],
  ['a file of another route', edit('en/ranks.json', '"/ranks"', '"/team"'), 'must say "route": "/ranks"'],
  ['text that is no JSON', edit('en/ranks.json', '{', ''), 'en/ranks.json: SyntaxError'],
  ['an unknown block', edit('en/white.json', '"paragraph"', '"paragrahp"'), 'en/white.json: ✖'],
  [
    'an unknown live figure',
    edit('en/node/aboutUs.json', '{swap_fee}', '{swap_free}'),
    'live figure that does not exist',
  ],
  [
    'a live figure in one language only',
    edit('en/node/aboutUs.json', '{swap_fee}', '0.25%'),
    'the two languages differ',
  ],
  ['a link to no section', edit('en/ranks.json', '"team"', '"teams"'), 'the whitepaper has no "teams"'],
  ['the same title twice', edit('en/ranks.json', '"Rankings"', '"Referral"'), 'has the title of'],
])('%s is refused', (_, spoil, fault) => {
  const folder = mkdtempSync(join(tmpdir(), 'clearwell-content-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const locale of ['zh-HK', 'en']) cpSync(join(CONTENT, locale), join(folder, locale), { recursive: true })
  expect(readPayloads(folder)).toHaveLength(2 * ROUTES_OF_SPEC.length)
  spoil(folder)
  expect(() => readPayloads(folder)).toThrow(fault)
})

function edit(file: string, from: string | RegExp, to: string) {
  return (folder: string) => {
    const path = join(folder, file)
    const before = readFileSync(path, 'utf8')
    const after = before.replace(from, to)
    expect(after).not.toBe(before)
    writeFileSync(path, after)
  }
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : []
}

function tryToRead(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
