import { expect, test } from 'vitest'
import { blockTimeOf, revealDeadline, rootDeadline } from './box-ladder.ts'
import { DEFAULT_BOX_RULES as rules } from './box-rules.ts'

const DAY = '2026-11-22'
/** A moment so long after the end of the day. */
const after = (minutes: number, ms = 0) => new Date(Date.parse('2026-11-23T00:00:00+08:00') + minutes * 60_000 + ms)

// Source: worked out by hand from the product rule "Verifiable draw".
test.each([
  [0, 0, 30],
  [20, 0, 30],
  [20, 1, 120],
  [110, 0, 120],
  [110, 1, 360],
  [350, 1, 720],
  [710, 1, 1_440],
  [1_430, 0, 1_440],
])('a root of minute %i and %i ms has block %i', (minutes, ms, block) => {
  expect(blockTimeOf(DAY, after(minutes, ms), rules)).toEqual(after(block))
})

test('a root later than 10 minutes before the last block has none', () => {
  expect(blockTimeOf(DAY, after(1_430, 1), rules)).toBeUndefined()
  expect(rootDeadline(DAY, rules)).toEqual(after(1_430))
})

/**
 * @attack S09 A server that held its root back chose the best of up to 400 blocks within five minutes.
 * @holds Within 10 minutes before a block's time no root moves the day to a block that is already known.
 */
test('the block is at least 10 minutes later than any root', () => {
  for (let second = 0; second <= 1_430 * 60; second += 7) {
    const root = after(0, second * 1_000)
    const block = blockTimeOf(DAY, root, rules)
    expect(block && block.getTime() - root.getTime()).toBeGreaterThanOrEqual(600_000)
  }
})

/**
 * @attack R03 Holding up the root for half an hour voided every day.
 * @holds Each root up to ten minutes before the last time of the ladder has a block that is unknown yet.
 */
test('a root of an hour later still has a block', () => {
  expect(blockTimeOf(DAY, after(60), rules)).toEqual(after(120))
})

test('a seed counts for 24 hours after its block', () => {
  expect(revealDeadline(after(33), rules)).toEqual(after(33 + 1_440))
})

test('a ladder without times has no deadline', () => {
  expect(() => rootDeadline(DAY, { ...rules, blockMinutes: [] })).toThrow('the ladder has no times')
})
