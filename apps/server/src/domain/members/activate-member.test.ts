import type { Context, State } from '@clearwell/ledger/command'
import { Draft } from '@clearwell/ledger/draft'
import { membershipLevel } from '@clearwell/rules/membership'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { activateMember } from './activate-member.ts'
import { members } from './members.ts'
import { inviters, leadsOf, levelOf, memberships, teamEvents } from './memberships.ts'

const NOW = new Date('2026-11-21T09:00:00Z')
const context: Context = { now: NOW, id: (label) => label }

/** The writer's state of a team without an activated member. @param parents the inviter of each member, by index. */
function team(parents: readonly (number | undefined)[]) {
  const nothing: State = {
    balance: () => 0n,
    row: (table, id) => {
      const parent = parents[Number(id)]
      const row = { id, parent_id: parent === undefined ? null : String(parent) }
      return (table.name === inviters.name ? row : undefined) as never
    },
    rows: (table, ids) => ids.map((id) => nothing.row(table, id)),
  }
  const state = new Draft(nothing)
  const activate = (member: number) => {
    const planned = activateMember(state, String(member), context)
    state.add(planned)
    return planned.rows ?? []
  }
  return { state, activate, level: (member: number) => levelOf(state.row(memberships, String(member))) }
}

/** A member with five leads, each with five leads, and so on; the members of each depth follow one another. */
function fullTeam(depth: number): number[][] {
  const depths = [[0]]
  let next = 1
  for (let each = 1; each <= depth; each++) depths.push(Array.from({ length: 5 ** each }, () => next++))
  return depths
}

const parentsOf = (depths: number[][]) =>
  depths.flatMap((members, depth) =>
    members.map((_, index) => (depth === 0 ? undefined : depths[depth - 1]?.[Math.floor(index / 5)])),
  )

test('the fifth activated lead raises its inviter immediately', () => {
  const { activate, level } = team([undefined, 0, 0, 0, 0, 0])
  const events = [1, 2, 3, 4].flatMap(activate).filter(({ table }) => table === teamEvents)
  expect(events.map(({ row }) => row)).toMatchObject(Array(4).fill({ user_id: '0', kind: 'lead_activated' }))
  expect(level(0)).toBe(0)
  const rows = activate(5).filter(({ table }) => table === teamEvents)
  expect(level(0)).toBe(1)
  expect(rows.map(({ row }) => row)).toMatchObject([
    { user_id: '0', kind: 'lead_activated', lead_id: '5' },
    { user_id: '0', kind: 'level_up', level: 1 },
  ])
})

test('the last of 3,905 activations raises five inviters in one plan', () => {
  const depths = fullTeam(5)
  const { activate, level } = team(parentsOf(depths))
  const order = depths.flat().filter((member) => member !== depths[5]?.at(-1))
  for (const member of order) activate(member)
  expect([0, depths[1]?.at(-1), depths[4]?.at(-1)].map((member) => level(member as number))).toEqual([4, 3, 0])
  const rows = activate(depths[5]?.at(-1) as number)
  const up = [0, 1, 2, 3, 4].map((depth) => level(depths[depth]?.at(-1) as number))
  expect(up).toEqual([5, 4, 3, 2, 1])
  expect(rows.length).toBeLessThan(20)
})

test('a rise waits below an inviter until that inviter is activated', () => {
  const depths = fullTeam(2)
  const { activate, level } = team(parentsOf(depths))
  for (const member of depths[2] as number[]) activate(member)
  expect([level(1), level(0)]).toEqual([1, 0])
  for (const member of depths[1] as number[]) activate(member)
  expect(level(0)).toBe(2)
})

test('levels equal a recount, in any order of activation', () => {
  const trees = fc.array(fc.nat(), { minLength: 1, maxLength: 120 }).chain((choices) => {
    // Few inviters, so that some of them rise.
    const parents = choices.map((choice, index) => (index === 0 ? undefined : Math.floor((choice % index) / 6)))
    return fc.record({
      parents: fc.constant(parents),
      order: fc.shuffledSubarray(parents.map((_, index) => index)),
    })
  })
  fc.assert(
    fc.property(trees, ({ parents, order }) => {
      const { state, activate, level } = team(parents)
      for (const member of order) activate(member)
      const active = new Set(order)
      // Leads have higher numbers than their inviters, so the last are counted first.
      const levels: number[] = []
      for (let member = parents.length - 1; member >= 0; member--) {
        const leads = parents.flatMap((parent, lead) =>
          parent === member && active.has(lead) ? [levels[lead] ?? 0] : [],
        )
        const counts = [0, 1, 2, 3, 4].map((least) => leads.filter((each) => each >= least).length)
        levels[member] = membershipLevel(counts as never)
        expect([...leadsOf(state.row(memberships, String(member)))]).toEqual(counts)
        expect(level(member)).toBe(levels[member])
        expect(state.row(members, String(member))?.activated_at ?? null).toEqual(active.has(member) ? NOW : null)
      }
    }),
    { numRuns: 200 },
  )
})
