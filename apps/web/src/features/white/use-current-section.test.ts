import { expect, test } from 'vitest'
import { sectionAt } from './use-current-section.ts'

const SECTIONS = ['what', 'swap', 'risks'].map((id) => ({ id, title: id }))

test.each([
  ['before the first is reached, the first', [400, 900, 1_400], 'what'],
  ['the last whose heading has passed the bar', [-700, 120, 800], 'swap'],
  ['at the end, the last', [-2_000, -900, 100], 'risks'],
])('the current section is %s', (_, tops, current) => {
  expect(sectionAt(SECTIONS, (id) => tops[SECTIONS.findIndex((section) => section.id === id)])).toBe(current)
})

test('a text without sections has no current section', () => {
  expect(sectionAt([], () => 0)).toBeUndefined()
})
