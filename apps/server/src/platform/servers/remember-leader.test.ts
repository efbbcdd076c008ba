import { expect, test } from 'vitest'
import { rememberLeader } from './remember-leader.ts'
import type { Leader } from './server-list.ts'

const LEADER: Leader = { url: 'http://one', holder: 'one', takesCall: true, takesBatches: true }

/** A list whose leader the test changes. */
function openList(leader: Leader | undefined) {
  const state = { leader, asked: 0, nowMs: 0 }
  const servers = {
    async writer() {
      state.asked++
      return state.leader
    },
  }
  return { state, remembered: rememberLeader(servers, () => state.nowMs) }
}

test('a leader is looked up once a second for each call', async () => {
  const { state, remembered } = openList(LEADER)
  expect(await Promise.all([remembered.writer('/a'), remembered.writer('/a')])).toEqual([LEADER, LEADER])
  expect(state.asked).toBe(1)
  await remembered.writer('/b')
  expect(state.asked).toBe(2)
  state.nowMs = 1_000
  await remembered.writer('/a')
  expect(state.asked).toBe(3)
})

test('a leader that is forgotten is looked up again', async () => {
  const { state, remembered } = openList(LEADER)
  await remembered.writer('/a')
  state.leader = { ...LEADER, url: 'http://two' }
  remembered.forget()
  expect(await remembered.writer('/a')).toEqual(state.leader)
})

test.each([undefined, { ...LEADER, takesCall: false }])('no leader for a call is not remembered', async (leader) => {
  const { state, remembered } = openList(leader)
  await remembered.writer('/a')
  await remembered.writer('/a')
  expect(state.asked).toBe(2)
})
