import { expect, test } from 'vitest'
import { isDue } from './quiet-check.ts'

const NOW = Date.parse('2030-01-01T10:00:00Z')

test.each([
  [undefined, true],
  [NOW, false],
  [NOW - 3_599_999, false],
  [NOW - 3_600_000, true],
  [NOW + 1, true],
])('a quiet check after one at %s is due: %s', (tried, due) => {
  expect(isDue(tried, NOW)).toBe(due)
})
