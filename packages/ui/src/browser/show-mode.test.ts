import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')

test('the browser around the page has the colour of the page', () => {
  const grounds = [...read('../tokens.css').matchAll(/--color-ground: (#[0-9a-f]{6})/g)].map(([, color]) => color)
  const shown = [...read('show-mode.ts').matchAll(/(?:dark|light): '(#[0-9a-f]{6})'/g)].map(([, color]) => color)
  expect(grounds).toHaveLength(2)
  expect(shown).toEqual(grounds)
})
