import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as messages from '../generated/paraglide/messages.js'

const src = join(import.meta.dirname, '..')
const files = globSync('**/*.messages.zh-HK.json', { cwd: src })

test.each(files)('%s and its English twin have the same messages, none empty', (file) => {
  const chinese = read(file)
  const english = read(file.replace('zh-HK', 'en'))
  expect(Object.keys(english).sort()).toEqual(Object.keys(chinese).sort())
  for (const [key, text] of [...Object.entries(chinese), ...Object.entries(english)]) {
    expect(text.trim(), key).not.toBe('')
    expect(text, key).not.toMatch(/[!！]/)
  }
  for (const [key, text] of Object.entries(chinese)) {
    expect(variables(english[key] ?? ''), key).toEqual(variables(text))
    expect(text, `${key} has half-width punctuation beside Chinese`).not.toMatch(
      /\p{Script=Han}[,.;:?()]|[,;:?()]\p{Script=Han}/u,
    )
  }
})

test('no key stands in two files', () => {
  const keys = files.flatMap((file) => Object.keys(read(file)))
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
})

test('every message was compiled, in both languages', () => {
  const compiled = messages.m as unknown as Record<string, (inputs: object, options: { locale: string }) => string>
  const inputs = new Proxy({}, { get: (_, name) => String(name), has: () => true })
  for (const key of files.flatMap((file) => Object.keys(read(file)))) {
    for (const locale of ['zh-HK', 'en']) {
      const text = compiled[key]?.(inputs, { locale })
      expect(text, `${key} in ${locale}`).toBeTruthy()
      expect(text, `${key} in ${locale}`).not.toBe(key)
    }
  }
})

function read(file: string): Record<string, string> {
  return JSON.parse(readFileSync(join(src, file), 'utf8'))
}

function variables(text: string): string[] {
  return (text.match(/\{\w+\}/g) ?? []).sort()
}
