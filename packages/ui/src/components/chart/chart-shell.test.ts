import { expect, test } from 'vitest'
import { moveByKey } from './chart-shell.tsx'

const moved = (key: string, current: number | undefined, isZoomable: boolean) =>
  moveByKey(key, { current, count: 30, isZoomable })

test.each([
  ['ArrowLeft', undefined, 29],
  ['ArrowLeft', 0, 0],
  ['ArrowLeft', 2, 1],
  ['ArrowRight', 28, 29],
  ['ArrowRight', 29, 29],
  ['PageDown', 29, 19],
  ['PageDown', 2, 0],
  ['PageUp', 0, 10],
  ['PageUp', 25, 29],
  ['Home', 12, 0],
  ['End', undefined, 29],
])('%s at %s moves the crosshair to point %i of 30', (key, current, index) => {
  for (const isZoomable of [true, false]) expect(moved(key, current, isZoomable)).toEqual({ type: 'point', index })
})

test('plus and minus zoom a zoomable chart', () => {
  expect(moved('+', 3, true)).toEqual({ type: 'zoom', factor: 0.8 })
  expect(moved('=', 3, true)).toEqual({ type: 'zoom', factor: 0.8 })
  expect(moved('-', 3, true)).toEqual({ type: 'zoom', factor: 1.25 })
  for (const key of ['+', '=', '-']) expect(moved(key, 3, false)).toBeUndefined()
})

test('up and down move the crosshair of a chart without zoom', () => {
  expect(moved('ArrowUp', 3, false)).toEqual({ type: 'point', index: 4 })
  expect(moved('ArrowDown', 3, false)).toEqual({ type: 'point', index: 2 })
  for (const key of ['ArrowUp', 'ArrowDown']) expect(moved(key, 3, true)).toBeUndefined()
})

test('Escape removes the crosshair, and is left to the page without one', () => {
  expect(moved('Escape', 3, true)).toEqual({ type: 'leave' })
  expect(moved('Escape', undefined, true)).toBeUndefined()
})

test.each(['Tab', 'a', 'Enter'])('%s is left to the page', (key) => {
  for (const isZoomable of [true, false]) expect(moved(key, 3, isZoomable)).toBeUndefined()
})
