import { expect, test } from 'vitest'
import { glide } from './candle-range.ts'

/** Animation frames that the test controls. */
function framesOf() {
  const waiting = new Map<number, (nowMs: number) => void>()
  let count = 0
  return {
    next: (call: (nowMs: number) => void) => {
      waiting.set(++count, call)
      return count
    },
    cancel: (frame: number) => void waiting.delete(frame),
    /** @returns `false` if no callback was waiting. */
    show(nowMs: number) {
      const calls = [...waiting.values()]
      waiting.clear()
      for (const call of calls) call(nowMs)
      return calls.length > 0
    },
  }
}

test.each([7, 16, 33, 390, 5_000])('an animation with %i ms frames ends exactly at its target', (frameMs) => {
  const positions: number[] = []
  const frames = framesOf()
  glide({ from: -600, to: 3, onStep: (position) => positions.push(position) }, frames.next, frames.cancel)
  for (let nowMs = 1_000; frames.show(nowMs); nowMs += frameMs);
  expect(positions[0]).toBe(-600)
  expect(positions.at(-1)).toBe(3)
  expect(positions).toEqual(positions.toSorted((one, other) => one - other))
  expect(positions.filter((position) => position === 3)).toHaveLength(1)
})

test('a stopped animation keeps its position', () => {
  const positions: number[] = []
  const frames = framesOf()
  const end = glide({ from: 0, to: 10, onStep: (position) => positions.push(position) }, frames.next, frames.cancel)
  frames.show(0)
  frames.show(100)
  end()
  expect(frames.show(5_000)).toBe(false)
  expect(positions).toHaveLength(2)
})
