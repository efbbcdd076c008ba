import { column, defineTable, type Table } from '@clearwell/ledger/table'

/** One row for each user who has linked a UID. The deposit is in the user's account `rt_deposit`. */
export const richAccounts = defineTable('rich_accounts', {
  /** The user. */
  id: column.text,
  uid: column.text,
  name: column.text,
  star: column.integer,
  settled_index: column.units,
  to_collect: column.units,
  collected: column.units,
  request_id: column.optional(column.text),
  steps_down_at: column.optional(column.time),
  linked_at: column.time,
})
export type RichAccountRow = Awaited<ReturnType<typeof richAccounts.load>>[number]

/** The owner of each UID. */
export const richUids = defineTable('rich_uids', { id: column.text, user_id: column.text }, { rowsAreFinal: true })

interface RequestFacts {
  readonly id: string
  readonly user_id: string
  readonly parent_id: string | null
  /** The requested level. */
  readonly star: number
  readonly created_at: Date
  readonly moves: number
  readonly is_announced: boolean
}

/** Waits for the approval of a user. The system never lets a request wait. */
export interface OpenRequest extends RequestFacts {
  readonly status: 'Requested'
  readonly asked_id: string
  readonly passes_up_at: Date
  readonly passed_at: null
}

export interface PassedRequest extends RequestFacts {
  readonly status: 'Passed'
  /** null: the system passed it. */
  readonly asked_id: string | null
  readonly passes_up_at: null
  readonly passed_at: Date
}

/** Ended by the requester, who steps down. No list shows it. */
export interface WithdrawnRequest extends RequestFacts {
  readonly status: 'Withdrawn'
  readonly asked_id: string
  readonly passes_up_at: null
  readonly passed_at: null
}

export type RequestRow = OpenRequest | PassedRequest | WithdrawnRequest

/** Requests for a star level. Checks of the database exclude every other combination of columns than these types. */
export const richRequests = defineTable('rich_requests', {
  id: column.text,
  user_id: column.text,
  parent_id: column.optional(column.text),
  star: column.integer,
  status: column.text,
  asked_id: column.optional(column.text),
  created_at: column.time,
  passes_up_at: column.optional(column.time),
  passed_at: column.optional(column.time),
  moves: column.integer,
  is_announced: column.boolean,
}) as unknown as Table<RequestRow>

/** The sums over all accounts with a star. */
export const richProgram = defineTable('rich_program', {
  id: column.text,
  release_index: column.units,
  weight: column.units,
  accounts: column.integer,
})
export type ProgramRow = Awaited<ReturnType<typeof richProgram.load>>[number]

/** The daily releases. */
export const richReleases = defineTable(
  'rich_releases',
  {
    /** The day in Hong Kong. */
    id: column.text,
    released_at: column.time,
    remaining: column.units,
    released: column.units,
    per_weight: column.units,
    weight: column.units,
    accounts: column.integer,
  },
  { rowsAreFinal: true },
)
export type ReleaseRow = Awaited<ReturnType<typeof richReleases.load>>[number]

/** Collected RT by user and day. */
export const richCollected = defineTable('rich_collected', {
  id: column.text,
  user_id: column.text,
  day: column.text,
  units: column.units,
})
