import { setTimeout as wait } from 'node:timers/promises'
import { DAY_MS } from '@clearwell/rules/spans'
import { defineJob } from '../../platform/jobs/job.ts'
import type { EmptyAccounts } from './empty-accounts.store.ts'

/** Users that one step looks at and may delete: a few milliseconds, with some 25 tables that refer to each. */
const USERS_PER_STEP = 40
/** The pause between two steps: about a twentieth of one connection, and a million users in 45 minutes. */
const REST_MS = 100

/** The last number that was looked at. */
type Position = { readonly after: number }

/**
 * Defines the job that deletes accounts that were never used: without a ledger entry, a lead or a row that keeps its
 * user, some days after the end of their last session. It walks through the users by number once a day, and continues where it
 * was after a restart.
 */
export function deleteEmptyAccounts({
  accounts,
  emptyAccountsDays,
  idleTtlMs,
  rest = wait,
}: {
  readonly accounts: EmptyAccounts
  readonly emptyAccountsDays: number
  /** A session ends this long after its last use, in milliseconds. */
  readonly idleTtlMs: number
  readonly rest?: (ms: number) => Promise<unknown>
}) {
  return defineJob<null, Position>({
    name: 'session.delete-empty-accounts',
    recurs: { dailyAt: '04:30' },
    async act({ state }) {
      if (state) await rest(REST_MS)
    },
    async step(tx, { now, state: { after } = { after: 0 } }) {
      const before = new Date(now.getTime() - emptyAccountsDays * DAY_MS - idleTtlMs)
      const { empty, last } = await accounts.readAfter(tx, { after, before, limit: USERS_PER_STEP })
      await accounts.delete(tx, empty, { before, now })
      return last === undefined ? 'done' : { next: { after: last } }
    },
  })
}
