import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Joined, TeamTree } from './team-tree.ts'

/** Counts a team by looking at every member. */
function recount(members: readonly Joined[], activated: ReadonlySet<number>, inviter: number) {
  const direct = members.filter((each) => each.inviter === inviter).map(({ number }) => number)
  const below: number[] = [...direct]
  for (const each of below) below.push(...members.filter(({ inviter: by }) => by === each).map(({ number }) => number))
  const active = (numbers: readonly number[]) => numbers.filter((each) => activated.has(each)).length
  return {
    direct: direct.length,
    direct_activated: active(direct),
    total: below.length,
    total_activated: active(below),
  }
}

/** Members 1 to n, each invited by an earlier one or by none, in any order of arrival. */
const forests = fc.array(fc.nat(), { minLength: 1, maxLength: 60 }).chain((choices) => {
  const members = choices.map((choice, index) => ({ number: index + 1, inviter: choice % (index + 1) }))
  return fc.record({
    members: fc.constant(members),
    arrivals: fc.shuffledSubarray(members, { minLength: members.length }),
    activated: fc.subarray(members.map(({ number }) => number)),
    early: fc.boolean(),
  })
})

test('counts equal a slow recount, in any order of arrival and activation', () => {
  fc.assert(
    fc.property(forests, ({ members, arrivals, activated, early }) => {
      const tree = new TeamTree()
      if (early) tree.activate(activated)
      for (const each of arrivals) tree.join([each, each])
      tree.activate(activated)
      expect(tree.size).toBe(members.length)
      for (const { number } of members)
        expect(tree.counts(number)).toEqual(recount(members, new Set(activated), number))
    }),
    { numRuns: 300 },
  )
})

test('pages of a depth list each of its members once, newest first', () => {
  const walks = fc.record({
    forest: forests,
    depth: fc.integer({ min: 1, max: 6 }),
    limit: fc.integer({ min: 1, max: 5 }),
  })
  fc.assert(
    fc.property(walks, ({ forest: { members }, depth, limit }) => {
      const tree = new TeamTree()
      tree.join(members)
      for (const { number: top } of members) {
        const wanted = members
          .filter(({ number }) => tree.depthBelow(top, number) === depth)
          .map(({ number }) => number)
        const listed: number[] = []
        let after: number | undefined
        do {
          const { found, goesOnAfter } = tree.atDepth(top, { depth, after, limit })
          expect(found.length).toBeLessThanOrEqual(limit)
          listed.push(...found)
          after = goesOnAfter
        } while (after !== undefined)
        expect(listed.toSorted((a, b) => a - b)).toEqual(wanted)
        if (depth === 1) expect(listed).toEqual(wanted.toReversed())
      }
    }),
    { numRuns: 100 },
  )
})

test('many members together are counted like one after another', () => {
  const members = Array.from({ length: 5_000 }, (_, index) => ({
    number: index + 1,
    inviter: Math.floor((index + 1) / 2),
  }))
  const activated = members.filter(({ number }) => number % 3 === 0).map(({ number }) => number)
  const [bulk, single] = [new TeamTree(), new TeamTree()]
  bulk.join(members)
  bulk.activate(activated)
  for (const each of members) single.join([each])
  for (const each of activated) single.activate([each])
  for (const { number } of members) expect(bulk.counts(number)).toEqual(single.counts(number))
  expect(bulk.counts(1)).toMatchObject({ total: 4_999, total_activated: 1_666 })
})

test('a member of another team is at no depth of this one', () => {
  const tree = new TeamTree()
  tree.join([
    { number: 1, inviter: 0 },
    { number: 2, inviter: 1 },
    { number: 3, inviter: 0 },
    { number: 4, inviter: 3 },
  ])
  expect([tree.depthBelow(1, 1), tree.depthBelow(1, 2), tree.depthBelow(1, 4), tree.depthBelow(2, 1)]).toEqual([
    0,
    1,
    undefined,
    undefined,
  ])
})
