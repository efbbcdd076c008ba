import { expect, test } from 'vitest'
import { affordable, decidePost, hoursOfGas, type PostMoment, raiseFees } from './decide-post.ts'

const NOON = new Date('2026-11-28T12:00:00Z')
const before = (minutes: number) => new Date(NOON.getTime() - minutes * 60_000)

const MOMENT: PostMoment = {
  now: NOON,
  newest: { number: 10n, cursorBlock: 100n, postedAt: before(60) },
  postedBoxDay: 20_000,
  header: { number: 11n, cursorBlock: 101n, cursorTime: before(1), boxDay: 20_000 },
}
const headerWith = (changes: object) => ({ header: { ...MOMENT.header, ...changes } }) as Partial<PostMoment>
const postedAt = (minutes: number) => ({
  newest: { number: 10n, cursorBlock: 100n, postedAt: before(minutes) },
})

test.each<[string, Partial<PostMoment>, boolean, string]>([
  ['the last post is an hour old', {}, true, 'hour'],
  ['the last post is younger', postedAt(59), false, 'not_due'],
  ['nothing was posted yet', { newest: undefined }, true, 'first'],
  ['a day of boxes has closed', { ...postedAt(5), ...headerWith({ boxDay: 20_001 }) }, true, 'box_day'],
  ['no header has both signatures', { header: undefined }, false, 'no_header'],
  ['the header is the newest root', headerWith({ number: 10n }), false, 'posted'],
  ['the number is lower', headerWith({ number: 9n }), false, 'not_higher'],
  ['the number skips too far', headerWith({ number: 11n + 2n ** 40n }), false, 'not_higher'],
  ['the number skips as far as it may', headerWith({ number: 10n + 2n ** 40n }), true, 'hour'],
  ['the cursor stays', headerWith({ cursorBlock: 100n }), true, 'hour'],
  ['the first number is zero', { newest: undefined, ...headerWith({ number: 0n }) }, false, 'not_higher'],
  ['the cursor falls', headerWith({ cursorBlock: 99n }), false, 'not_higher'],
  ['the cursor is 118 minutes old', headerWith({ cursorTime: before(118) }), true, 'hour'],
  ['the cursor is older', headerWith({ cursorTime: before(118.1) }), false, 'too_old'],
  ['the cursor is the newest block', headerWith({ cursorTime: NOON }), true, 'hour'],
  ['the cursor is ahead of the chain', headerWith({ cursorTime: before(-1) }), false, 'too_old'],
])('decides where %s', (_, changes, post, why) => {
  expect(decidePost({ ...MOMENT, ...changes })).toEqual({ post, why })
})

test.each([
  [
    { maxFee: 100n, tip: 10n },
    { maxFee: 90n, tip: 5n },
    { maxFee: 125n, tip: 13n },
  ],
  [
    { maxFee: 100n, tip: 10n },
    { maxFee: 200n, tip: 20n },
    { maxFee: 200n, tip: 20n },
  ],
  [{ maxFee: 4_500_000_000n, tip: 10n }, { maxFee: 1n, tip: 1n }, undefined],
])('a replacement of %o at %o pays %o', (stuck, market, raised) => {
  expect(raiseFees(stuck, market)).toEqual(raised)
})

test('no post pays more than it is worth', () => {
  const most = { maxFee: 5_000_000_000n, tip: 1n }
  expect([affordable(most), affordable({ ...most, maxFee: 5_000_000_001n })]).toEqual([most, undefined])
})

test('a price of zero counts as one wei', () => {
  expect(hoursOfGas(25n * 300_000n, { gas: 300_000n, maxFee: 0n })).toBe(24)
})

test.each([
  // 25 posts a day of 300,000 gas at 0.1 gwei cost 0.00075 BNB.
  [750_000_000_000_000n, 24],
  [5_250_000_000_000_000n, 168],
  [0n, 0],
])('%s wei suffice for %s hours', (balance, hours) => {
  expect(hoursOfGas(balance, { gas: 300_000n, maxFee: 100_000_000n })).toBe(hours)
})
