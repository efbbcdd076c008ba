import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readPayloads } from '../../content/read-payloads.ts'
import { pathsOfSpecification } from '../testing/specification.ts'
import { payloadPath } from './payload-path.ts'

const CONTENT = join(import.meta.dirname, '../../content')
const HALF_WIDTH = /\p{Script=Han}[,.;:?()]|[,;:?()]\p{Script=Han}/u

test('each specified screen has content in both languages at its own path', { tags: ['§7.43'] }, () => {
  const payloads = readPayloads()
  const specPaths = pathsOfSpecification()
  for (const locale of ['zh-HK', 'en']) {
    const written = payloads.filter((payload) => payload.locale === locale).map(({ route }) => route)
    expect(written).toEqual(expect.arrayContaining(specPaths))
  }
  const paths = payloads.map(({ route, locale }) => payloadPath(route, locale))
  expect(new Set(paths).size).toBe(payloads.length)
  expect(paths).toContain('/_payload.json')
  expect(paths).toContain('/en/_payload.json')
  expect(paths).toContain('/markets/_payload.json')
  expect(paths).toContain('/en/stake/lend/add/_payload.json')
})

test('content has no exclamation marks, and Chinese text has Chinese punctuation', () => {
  for (const payload of readPayloads())
    for (const words of stringsOf(payload)) {
      expect(words).not.toMatch(/[!！您]/)
      if (payload.locale === 'zh-HK') expect(words).not.toMatch(HALF_WIDTH)
      else expect(words).not.toMatch(/\p{Script=Han}/u)
    }
})

test.each([
  ['a missing language', (folder: string) => rmSync(join(folder, 'en/ranks.json')), 'en/ranks.json: is missing'],
  [
    'an unknown route',
    (folder: string) => cpSync(join(folder, 'en/ranks.json'), join(folder, 'en/rank.json')),
    'en/rank.json: no language, or no screen',
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
  expect(() => readPayloads(folder)).not.toThrow()
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
