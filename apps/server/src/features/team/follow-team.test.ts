import { expect, test } from 'vitest'
import { followTeam } from './follow-team.ts'
import type { Joined } from './team-tree.ts'

/** A table whose rows the test commits, read a few rows at a time. */
function follow() {
  const members: Joined[] = []
  const activations: { number: number; member: number }[] = []
  const departures: { number: number; member: number }[] = []
  let nowMs = 0
  let reads = 0
  const team = followTeam({
    store: {
      membersAfter: async (number, limit) => {
        reads++
        return members
          .filter((each) => each.number > number)
          .toSorted((a, b) => a.number - b.number)
          .slice(0, limit)
      },
      members: async (numbers) => members.filter((each) => numbers.includes(each.number)),
      activationsAfter: async (number, limit) => activations.filter((each) => each.number > number).slice(0, limit),
      departuresAfter: async (number, limit) => departures.filter((each) => each.number > number).slice(0, limit),
    },
    clock: { now: () => new Date(nowMs) },
    perRead: 2,
    onError: (error) => {
      throw error
    },
  })
  return {
    commit: (number: number, inviter = 0) => members.push({ number, inviter }),
    activate: (member: number) => activations.push({ number: activations.length + 1, member }),
    depart(member: number) {
      members.splice(
        members.findIndex(({ number }) => number === member),
        1,
      )
      departures.push({ number: departures.length + 1, member })
    },
    current: () => team.current(),
    wait: (ms: number) => {
      nowMs += ms
    },
    reads: () => reads,
  }
}

test('a member that joined before the call is counted', async () => {
  const { commit, activate, current } = follow()
  for (let number = 1; number <= 5; number++) commit(number, number - 1)
  for (const member of [2, 4, 5]) activate(member)
  expect((await current()).counts(1)).toEqual({ direct: 1, direct_activated: 1, total: 4, total_activated: 3 })
  commit(6, 5)
  activate(6)
  expect((await current()).counts(1)).toMatchObject({ total: 5, total_activated: 4 })
})

test('a member that was deleted leaves every team above it', async () => {
  const { commit, depart, current } = follow()
  for (let number = 1; number <= 5; number++) commit(number, number - 1)
  expect((await current()).counts(1).total).toBe(4)
  for (const member of [5, 4]) depart(member)
  expect((await current()).counts(1)).toMatchObject({ direct: 1, total: 2 })
  // It joined and was deleted between two looks.
  commit(6, 3)
  depart(6)
  expect((await current()).counts(3)).toMatchObject({ direct: 0, total: 0 })
})

test('a number whose transaction commits late is found', async () => {
  const { commit, activate, current, wait } = follow()
  commit(1)
  commit(4, 1)
  expect((await current()).counts(1).total).toBe(1)
  commit(3, 2)
  activate(3)
  wait(50_000)
  await current()
  commit(2, 1)
  expect((await current()).counts(1)).toMatchObject({ direct: 2, total: 3, total_activated: 1 })
})

test('calls at the same time share one look after the running one', async () => {
  const { commit, current, reads } = follow()
  commit(1)
  await Promise.all(Array.from({ length: 50 }, current))
  expect(reads()).toBeLessThanOrEqual(2)
})
