import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { rankRoutes } from './rank.routes.ts'
import { teamRoutes } from './team.routes.ts'

const parse = (schema: z.core.$ZodType, payload: unknown) => z.safeParse(schema, payload)

test('a form lists members of one member at a depth', () => {
  const form = { member_id: '12', depth: '3', limit: '50', search: '' }
  expect(parse(teamRoutes.teamMembers.payload, form).data).toMatchObject({ member_id: '12', depth: 3, limit: 50 })
})

test.each([{ member_id: '-1' }, { member_id: '0x12' }, { depth: '0' }, { limit: '101' }])(
  'rejects members of %o',
  (form) => {
    expect(parse(teamRoutes.teamMembers.payload, form).success).toBe(false)
  },
)

test('a form hides its user from the boards', () => {
  expect(parse(rankRoutes.setRankVisibility.payload, { hidden: '1' }).data).toEqual({ hidden: 1 })
  expect(parse(rankRoutes.setRankVisibility.payload, {}).success).toBe(false)
})

test.each([{ board: 'power', period: 'month' }, { board: 'wealth', period: 'day' }, { period: 'day' }])(
  'rejects the board %o',
  (form) => {
    expect(parse(rankRoutes.rankList.payload, form).success).toBe(false)
  },
)
