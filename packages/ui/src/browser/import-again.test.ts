import { afterEach, expect, test, vi } from 'vitest'
import { importAgain } from './import-again.ts'

const SITE = 'https://app.example'
const failure = (text: string) => new TypeError(text)

afterEach(() => vi.unstubAllGlobals())

test.each([
  [`Failed to fetch dynamically imported module: ${SITE}/assets/a.js`, true],
  [`error loading dynamically imported module: ${SITE}/assets/a.js`, true],
  ['Importing a module script failed.', false],
  ['Failed to fetch dynamically imported module: https://other.example/a.js', false],
])('an error with the text %s can be tried again: %s', (text, expected) => {
  vi.stubGlobal('location', { origin: SITE })
  expect(importAgain(failure(text)) !== undefined).toBe(expected)
})
