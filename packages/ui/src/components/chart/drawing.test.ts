import { expect, test } from 'vitest'
import { withAlpha } from './drawing.ts'

test.each([
  ['#45d9ea', '#45d9ea40'],
  ['#0FA', '#00FFAA40'],
  ['rgb(1 2 3)', 'rgb(1 2 3)'],
  ['#45d9ea80', '#45d9ea80'],
])('%s with an opacity is %s', (color, expected) => {
  expect(withAlpha(color, '40')).toBe(expected)
})
