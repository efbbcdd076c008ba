import { expect, test } from 'vitest'
import { followTeam } from './follow-team.ts'
import type { Joined } from './team-tree.ts'

/** A table whose rows the test commits, read a few rows at a time. */
function follow() {
  const members: Joined[] = []
  const activations: { number: number; member: number }[] = []
  const departures: { number: number; member: number }[] = []
  let nowMs = 0
  let reads: string[] = []
  const team = followTeam({
    store: {
      membersAfter: async (number, limit) => {
        reads.push(`members after ${number}`)
        return members
          .filter((each) => each.number > number)
          .toSorted((a, b) => a.number - b.number)
          .slice(0, limit)
      },
      async members(numbers) {
        reads.push(numbers.length > 5 ? `missing ${numbers[0]}…${numbers.at(-1)}` : `missing ${numbers}`)
        return members.filter((each) => numbers.includes(each.number))
      },
      async activationsAfter(number, limit) {
        reads.push(`activations after ${number}`)
        return activations.filter((each) => each.number > number).slice(0, limit)
      },
      async departuresAfter(number, limit) {
        reads.push(`departures after ${number}`)
        return departures.filter((each) => each.number > number).slice(0, limit)
      },
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
    /** The reads since the last call. */
    takeReads() {
      const taken = reads
      reads = []
      return taken
    },
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

test('later looks read only rows that were added', async () => {
  const { commit, activate, depart, current, takeReads } = follow()
  for (let number = 1; number <= 3; number++) commit(number)
  for (const member of [1, 2, 3]) activate(member)
  depart(3)
  await current()
  expect(takeReads()).toEqual([
    ...['activations after 0', 'activations after 2'],
    ...['members after 0', 'members after 2'],
    'departures after 0',
  ])
  await current()
  expect(takeReads()).toEqual(['activations after 3', 'members after 2', 'departures after 1'])
})

test('a missing number is looked for until a minute has passed', async () => {
  const { commit, current, wait, takeReads } = follow()
  const missing = async () => {
    await current()
    return takeReads().filter((read) => read.startsWith('missing'))
  }
  for (const number of [1, 4]) commit(number)
  expect(await missing()).toEqual(['missing 2,3'])
  commit(3)
  wait(30_000)
  commit(6)
  expect(await missing()).toEqual(['missing 2,3,5'])
  wait(30_000)
  expect(await missing()).toEqual(['missing 2,5'])
  wait(1)
  expect(await missing()).toEqual(['missing 5'])
  wait(30_000)
  expect(await missing()).toEqual([])
})

test('at most the newest 10,000 missing numbers are looked for', async () => {
  const { commit, current, takeReads } = follow()
  for (const number of [1, 20_001]) commit(number)
  await current()
  expect(takeReads()).toContain('missing 10001…20000')
  commit(20_004)
  await current()
  expect(takeReads()).toContain('missing 10003…20003')
})

test('calls at the same time share one look after the running one', async () => {
  const { commit, current, takeReads } = follow()
  commit(1)
  await Promise.all(Array.from({ length: 50 }, current))
  const look = ['activations after 0', 'members after 0', 'departures after 0']
  expect(takeReads()).toEqual(look)
})
