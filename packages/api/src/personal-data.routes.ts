import * as z from 'zod/mini'
import { nothing, timeText } from './fields.ts'
import type { Route } from './route.ts'

/** The groups of data that the server stores about a user. */
export const DATA_GROUPS = [
  'account',
  'terms',
  'sessions',
  'devices',
  'notices',
  'alerts',
  'entries',
  'transfers',
  'swaps',
  'lending',
  'boxes',
  'ranks',
  'uid',
  'commands',
  'operator',
] as const
export type DataGroup = (typeof DATA_GROUPS)[number]

/**
 * Why data is kept when a user erases theirs. `ledger`: the books and everyone's proofs need it. `agreement`: the record of what
 * was agreed. `account`: it is the account. `in_use`: the session that asks. `choice`: a setting that protects the user.
 * `uid`: a UID belongs to one account for good. `repeats`: so that a repeated command is not executed twice.
 * `audit`: what the operator did must stay provable.
 */
export const KEPT_REASONS = ['ledger', 'agreement', 'account', 'in_use', 'choice', 'uid', 'repeats', 'audit'] as const
export type KeptReason = (typeof KEPT_REASONS)[number]

const group = z.enum(DATA_GROUPS)

export const personalDataRoutes = {
  storedData: {
    method: 'GET',
    path: '/profile/stored',
    session: 'none',
    idempotent: false,
    summary: 'Says what the server stores about a user, for how long, and what the user can erase.',
    payload: nothing,
    response: z.object({
      groups: z.array(
        z.object({
          group,
          /** Days until rows are deleted, counted from an event that docs/reference/personal-data.md names. null: they stay. */
          days: z.nullable(z.int()),
          can_erase: z.boolean(),
        }),
      ),
    }),
    refusals: [],
  },
  myData: {
    method: 'GET',
    path: '/profile/data',
    cost: { rows: 1_000, requests: 100 },
    session: 'required',
    idempotent: false,
    returnsFile: true,
    summary: 'Returns what is stored about the user as a JSON file, with how long each part is kept.',
    payload: nothing,
    response: z.string(),
    refusals: [],
  },
  eraseData: {
    method: 'POST',
    path: '/profile/erase',
    cost: { rows: 1_000, requests: 30 },
    session: 'required',
    idempotent: true,
    isHarmless: true,
    worksFrozen: true,
    summary:
      'Erases what the books do not need: notices, alerts, devices, nickname and other sessions. Balances and orders do not change.',
    payload: nothing,
    response: z.object({
      erased: z.array(z.object({ what: group, rows: z.int() })),
      kept: z.array(
        z.object({
          what: group,
          why: z.enum(KEPT_REASONS),
          /** null: as long as the ledger. */
          until: z.nullable(timeText),
        }),
      ),
    }),
    refusals: [],
  },
} as const satisfies Record<string, Route>
