import { expect, test } from 'vitest'
import { countLead, type LeadCounts, membershipLevel, NO_LEADS } from './membership.ts'

// By hand, from the product rule: 5 activated leads give level 1; level n+1 needs 5 direct leads of level n.
test.each<[LeadCounts, number]>([
  [[0, 0, 0, 0, 0], 0],
  [[4, 4, 4, 4, 4], 0],
  [[5, 4, 0, 0, 0], 1],
  [[5, 5, 4, 4, 4], 2],
  [[900, 5, 5, 5, 4], 4],
  [[5, 5, 5, 5, 5], 5],
])('leads of %o give level %i', { tags: ['§9.10'] }, (leads, level) => {
  expect(membershipLevel(leads)).toBe(level)
})

test('a lead counts at its level and at every level below', () => {
  expect(countLead(NO_LEADS, { from: 0, to: 2 })).toEqual([1, 1, 1, 0, 0])
})

test('a lead that rises counts again only at its new levels', () => {
  expect(countLead([3, 1, 0, 0, 0], { from: 2, to: 3 })).toEqual([3, 1, 1, 1, 0])
})

test('a lead of the highest level counts five times', () => {
  expect(countLead(NO_LEADS, { from: 0, to: 5 })).toEqual([1, 1, 1, 1, 1])
})
