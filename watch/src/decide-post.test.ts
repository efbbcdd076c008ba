import { expect, test } from 'vitest'
import { chooseFees, decidePost } from './decide-post.ts'

const NOW_S = 1_700_000_000
const vault = {
  ...{ timeS: NOW_S, pausedAt: 0, endingAt: 0, movedAt: 0 },
  newest: { number: 7n, cursorBlock: 50n, postedAt: NOW_S - 6_300, seq: 3 },
}
const header = { number: 9n, cursorBlock: 60n, cursorTimeS: NOW_S - 10 }

test.each<[string, object, object | undefined, string]>([
  ['a late vault', {}, {}, 'post'],
  ['a vault without a root', { newest: { number: 0n, cursorBlock: 0n, postedAt: 0, seq: 0 } }, {}, 'post'],
  ['a vault with a recent root', { newest: { ...vault.newest, postedAt: NOW_S - 6_299 } }, {}, 'not_due'],
  ['no header', {}, undefined, 'no_header'],
  ['the header on the chain', {}, { number: 7n }, 'not_higher'],
  ['a number out of reach', {}, { number: 8n + 2n ** 40n }, 'not_higher'],
  ['an older cursor', {}, { cursorBlock: 49n }, 'not_higher'],
  ['a header of the future', {}, { cursorTimeS: NOW_S + 1 }, 'too_old'],
  ['a header of nearly two hours', {}, { cursorTimeS: NOW_S - 7_081 }, 'too_old'],
  ['a paused vault', { pausedAt: 1 }, {}, 'closed'],
  ['a vault at its end', { endingAt: 1 }, {}, 'closed'],
  ['a vault that has moved', { movedAt: 1 }, {}, 'closed'],
])('%s is decided', (_, ofVault, ofHeader, expected) => {
  const decision = decidePost({ ...vault, ...ofVault }, ofHeader && { ...header, ...ofHeader }, { afterS: 6_300 })
  expect(decision).toBe(expected)
})

test('a replacement pays a quarter more, and never over the cap', () => {
  const market = { maxFee: 100n, tip: 10n }
  expect(chooseFees(market, 100n)).toEqual(market)
  expect(chooseFees(market, 99n)).toBeUndefined()
  expect(chooseFees(market, 200n, { maxFee: 90n, tip: 4n })).toEqual({ maxFee: 113n, tip: 10n })
  expect(chooseFees(market, 112n, { maxFee: 90n, tip: 4n })).toBeUndefined()
})
