import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AT_NIGHT } from './at-night.ts'
import { PARTS } from './nightly-parts.ts'

test.each(Object.entries(AT_NIGHT))('%s is a test, and runs in the part %s', (path, part) => {
  expect(existsSync(join(import.meta.dirname, '..', path))).toBe(true)
  expect(Object.keys(PARTS)).toContain(part)
})
