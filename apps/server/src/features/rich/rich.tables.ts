import { column, defineWriterTable, forever, type RowOf, type Table, type WriterTable } from '@clearwell/ledger/table'

/**
 * The rows of the hub are carried: the weight of a star is in no entry, so a restore could not make the next release from entries
 * (decision 0069).
 */

/** One row for each user who has linked a UID. The deposit is in the user's account `rt_deposit`. */
export const richAccounts = defineWriterTable(
  'rich_accounts',
  forever('one row for each account that linked a UID'),
  {
    /** The user. */
    id: column.user('keeps'),
    /** null after the operator released it. */
    uid: column.optional(column.text),
    name: column.text,
    star: column.integer,
    settled_index: column.units,
    to_collect: column.units,
    collected: column.units,
    /** Weight that counts: up to the day of the last rise, or on every day without one. 0 from the notice of stepping down on. */
    weight: column.units,
    /** The day of the last rise, until it is settled: the star's whole weight counts from the next day on. */
    raised_on: column.optional(column.day),
    request_id: column.optional(column.text),
    steps_down_at: column.optional(column.time),
    linked_at: column.time,
    /** The inviter, and the order of its list: the time of the latest request, or of linking. */
    parent_id: column.optional(column.otherUser),
    listed_at: column.time,
  },
  { carried: 'always' },
)
export type RichAccountRow = RowOf<typeof richAccounts>

/** The owner of each UID. null: the operator released it, so it can be linked again. */
export const richUids = defineWriterTable(
  'rich_uids',
  forever('a UID belongs to one account, permanently'),
  {
    id: column.text,
    user_id: column.optional(column.user('implied')),
  },
  { carried: 'always' },
)

interface RequestFacts {
  readonly id: string
  readonly user_id: string
  /** The requested level. */
  readonly star: number
  readonly created_at: Date
  readonly is_announced: boolean
}

/** Waits for the parent's approval, until the system passes it. */
export interface OpenRequest extends RequestFacts {
  readonly status: 'Requested'
  readonly parent_id: string
  readonly passes_at: Date
  readonly passed_at: null
  readonly passed_by: null
}

export interface PassedRequest extends RequestFacts {
  readonly status: 'Passed'
  readonly parent_id: string | null
  readonly passes_at: null
  readonly passed_at: Date
  readonly passed_by: 'parent' | 'system'
}

/** Ended by the requester, who stepped down or took the deposit back. */
export interface WithdrawnRequest extends RequestFacts {
  readonly status: 'Withdrawn'
  readonly parent_id: string
  readonly passes_at: null
  readonly passed_at: null
  readonly passed_by: null
}

export type RequestRow = OpenRequest | PassedRequest | WithdrawnRequest

/** A request with the name of its requester. */
export type ListedRequest = RequestRow & { readonly requester_name: string }

/** A child with its latest request that was not withdrawn. */
export interface ListedChild extends Pick<RichAccountRow, 'id' | 'uid' | 'name' | 'star' | 'listed_at'> {
  readonly level: number
  readonly request: OpenRequest | PassedRequest | null
}

/** Requests for a star level. Checks of the database exclude every other combination of columns than these types. */
export const richRequests = defineWriterTable(
  'rich_requests',
  forever("the users' record of their star levels"),
  {
    id: column.text,
    user_id: column.user('implied'),
    parent_id: column.optional(column.user('implied')),
    star: column.integer,
    status: column.text,
    created_at: column.time,
    passes_at: column.optional(column.time),
    passed_at: column.optional(column.time),
    passed_by: column.optional(column.text),
    is_announced: column.boolean,
  },
  { carried: 'always' },
) as unknown as WriterTable<RequestRow>

/** The sums over all accounts with a star. */
export const richProgram = defineWriterTable(
  'rich_program',
  forever('one row'),
  {
    id: column.text,
    release_index: column.units,
    /** Weight that counts on the present day. */
    weight: column.units,
    /** Weight that counts from the next day on, if nothing changes. */
    next_weight: column.units,
    /** The last day that was released. */
    released_day: column.optional(column.day),
    accounts: column.integer,
  },
  { carried: 'always' },
)
export type ProgramRow = RowOf<typeof richProgram>

/** The daily releases. */
export const richReleases = defineWriterTable(
  'rich_releases',
  forever('one row for each day, from which its release can be computed again'),
  {
    /** The day in Hong Kong. */
    id: column.text,
    released_at: column.time,
    remaining: column.units,
    released: column.units,
    per_weight: column.units,
    weight: column.units,
    accounts: column.integer,
    /** `release_index` after it. */
    index_after: column.units,
  },
  { rowsAreFinal: true, carried: 'always' },
)
export type ReleaseRow = RowOf<typeof richReleases>

/** Collected RT by user and day. */
export const richCollected = defineWriterTable(
  'rich_collected',
  forever("the users' record of collected RT: at most one row for each user and day"),
  {
    id: column.text,
    user_id: column.user('implied'),
    day: column.day,
    units: column.units,
  },
  { carried: 'always' },
)

export const RICH_TABLES: readonly Table<unknown>[] = [
  richAccounts,
  richUids,
  richRequests,
  richProgram,
  richReleases,
  richCollected,
]
