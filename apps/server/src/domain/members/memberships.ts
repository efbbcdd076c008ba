import { column, defineWriterTable, forever, type RowOf, until } from '@clearwell/ledger/table'
import type { MembershipLevel } from '@clearwell/rules/box-power'
import type { LeadCounts } from '@clearwell/rules/membership'
import { users } from './users.ts'

/** A user's membership level and the leads that give it. A user has no row until a lead counts. */
export const memberships = defineWriterTable(
  'memberships',
  forever('one row for each account with an activated lead'),
  {
    id: column.user('implied'),
    /** It never falls. */
    level: column.oneOf([0, 1, 2, 3, 4, 5]),
    /** Activated direct leads with this level or a higher one. */
    leads_0: column.integer,
    leads_1: column.integer,
    leads_2: column.integer,
    leads_3: column.integer,
    leads_4: column.integer,
  },
  { carried: 'always' },
)

export type MembershipRow = RowOf<typeof memberships>

/** The level of a row, which a user without leads does not have. */
export function levelOf(row: Pick<MembershipRow, 'level'> | undefined): MembershipLevel {
  return row?.level ?? 0
}

export function leadsOf(row: MembershipRow | undefined): LeadCounts {
  return row ? [row.leads_0, row.leads_1, row.leads_2, row.leads_3, row.leads_4] : [0, 0, 0, 0, 0]
}

/**
 * The inviter of each user. The session creates users outside the writer; an inviter never changes, so the writer may keep
 * what it has read. Only for users who exist: the writer would also keep that a user was missing.
 *
 * A command that writes such a row only carries it for a restore, see `carryInviters`: the row is there already.
 */
export const inviters = {
  ...defineWriterTable(
    'users',
    users.keptFor,
    {
      id: column.text,
      parent_id: column.optional(column.text),
      invite_code: column.text,
      created_at: column.time,
    },
    { carried: 'always' },
  ),
  saveStatement: () => ({ text: 'select 1', params: [] }),
}

/** The same rows, where the writer must not keep them: an account that nothing keeps can be deleted and join again. */
export const joiners = { ...inviters, isNeverRead: true }

export type InviterRow = RowOf<typeof inviters>

/** Activations in their order, so that readers can follow them. */
export const activations = defineWriterTable(
  'activations',
  forever('one row for each account that was activated'),
  {
    /** The user. */
    id: column.user('implied'),
    /** From 1, without gaps. */
    number: column.bigint,
  },
  { rowsAreFinal: true, carried: 'always' },
)

/** The last number of an order that the writer gives out. */
export const lastNumbers = defineWriterTable(
  'last_numbers',
  forever('one row'),
  {
    id: column.text,
    number: column.bigint,
  },
  { carried: 'always' },
)
export const LAST_ACTIVATION = 'activation'

/** Changes of the team that users are notified of. The team feature deletes each together with sending its notice. */
export const teamEvents = defineWriterTable(
  'team_events',
  until('its user was notified'),
  {
    id: column.text,
    /** The user to notify. */
    user_id: column.user('implied'),
    kind: column.oneOf(['lead_activated', 'level_up']),
    /** The lead that was activated. */
    lead_id: column.optional(column.otherUser),
    /** The level that the user reached. */
    level: column.optional(column.integer),
    at: column.time,
  },
  { rowsAreFinal: true },
)
