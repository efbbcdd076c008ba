import { expect, test } from 'vitest'
import { sparklinePath } from './sparkline.tsx'

test('draws from edge to edge, lowest at the bottom, highest on top', () => {
  expect(sparklinePath(['10', '30', '20'])).toBe('M2 26L32 2L62 14')
})

test('draws equal values as a flat line in the middle', () => {
  expect(sparklinePath(['5', '5'])).toBe('M2 14L62 14')
})

test.each([[[]], [['1']], [['1', 'x']]])('the values %j draw no line', (values) => {
  expect(sparklinePath(values)).toBe('')
})
