import { expect, test } from 'vitest'
import { crosshairStep } from './candle-crosshair.ts'

const BY_POINTER = { byPointer: true, isThere: true }
const BY_SCALE = { byPointer: false, isThere: true }
const RANGE = { from: 11.0000001, to: 60.2 }

test('a pointer is followed, also away from the drawing and from the candle that keys held', () => {
  expect(crosshairStep(BY_POINTER, undefined, RANGE)).toBe('follow')
  expect(crosshairStep(BY_POINTER, { index: 20, isComing: false }, RANGE)).toBe('follow')
  expect(crosshairStep({ byPointer: true, isThere: false }, undefined, RANGE)).toBe('follow')
})

test('where candles move under a resting pointer, the one that comes under it is followed', () => {
  expect(crosshairStep(BY_SCALE, undefined, RANGE)).toBe('follow')
})

test.each([
  ['in sight stays held', { index: 11, isComing: false }, 'hold'],
  ['at the edge stays held', { index: 60, isComing: false }, 'hold'],
  ['that went out of sight before the first is let go', { index: 10, isComing: false }, 'release'],
  ['that went out of sight after the last is let go', { index: 61, isComing: false }, 'release'],
  ['on its way into sight is waited for', { index: 5, isComing: true }, 'none'],
] as const)('where candles move under a held crosshair, one %s', (_, held, step) => {
  expect(crosshairStep(BY_SCALE, held, RANGE)).toBe(step)
})

test('a crosshair that the library took away, or a drawing without width, changes nothing', () => {
  expect(crosshairStep({ byPointer: false, isThere: false }, undefined, RANGE)).toBe('none')
  expect(crosshairStep(BY_SCALE, { index: 20, isComing: false }, undefined)).toBe('none')
})
