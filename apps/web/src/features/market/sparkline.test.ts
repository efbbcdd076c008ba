import { expect, test } from 'vitest'
import { fillsLine, sparklinePoints } from './sparkline.tsx'

test('draws from edge to edge, lowest at the bottom, highest on top', () => {
  expect(sparklinePoints(['10', '30', '20'])).toEqual([
    [3, 25],
    [32, 3],
    [61, 14],
  ])
})

test('draws equal values as a level line in the middle', () => {
  expect(sparklinePoints(['5', '5'])).toEqual([
    [3, 14],
    [61, 14],
  ])
})

test.each([[[]], [['1']], [['1', 'x']]])('the values %j draw no line', (values) => {
  expect(sparklinePoints(values)).toEqual([])
})

test('a line needs twelve points', () => {
  expect(fillsLine(Array(11).fill('1'))).toBe(false)
  expect(fillsLine(Array(12).fill('1'))).toBe(true)
})
