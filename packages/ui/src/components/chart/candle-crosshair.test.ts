import { expect, test } from 'vitest'
import { crosshairStep } from './candle-crosshair.ts'

const BY_POINTER = { byPointer: true, isThere: true }
const BY_SCALE = { byPointer: false, isThere: true }
const RANGE = { from: 11.0000001, to: 60.2 }

test('the crosshair follows the pointer off the drawing and off held candles', () => {
  expect(crosshairStep(BY_POINTER, undefined, RANGE)).toBe('follow')
  expect(crosshairStep(BY_POINTER, { index: 20, isComing: false }, RANGE)).toBe('follow')
  expect(crosshairStep({ byPointer: true, isThere: false }, undefined, RANGE)).toBe('follow')
})

test('the crosshair follows a candle that moves under a resting pointer', () => {
  expect(crosshairStep(BY_SCALE, undefined, RANGE)).toBe('follow')
})

test.each([
  ['in view stays held', { index: 11, isComing: false }, 'hold'],
  ['at the edge stays held', { index: 60, isComing: false }, 'hold'],
  ['before the view is released', { index: 10, isComing: false }, 'release'],
  ['after the view is released', { index: 61, isComing: false }, 'release'],
  ['on its way into view is awaited', { index: 5, isComing: true }, 'none'],
] as const)('a held candle %s when candles move', (_, held, step) => {
  expect(crosshairStep(BY_SCALE, held, RANGE)).toBe(step)
})

test('a removed crosshair or an empty drawing needs no step', () => {
  expect(crosshairStep({ byPointer: false, isThere: false }, undefined, RANGE)).toBe('none')
  expect(crosshairStep(BY_SCALE, { index: 20, isComing: false }, undefined)).toBe('none')
})
