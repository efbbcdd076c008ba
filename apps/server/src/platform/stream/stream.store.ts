import { readArchiveEnd } from '@clearwell/ledger/archives'
import type { Database } from '@clearwell/ledger/database'
import { readPostings, readUserPostings } from '@clearwell/ledger/read-postings'
import { readTip } from '@clearwell/ledger/reads'

/** The streams' reads, once for all listeners. */
export function createStreamStore(db: Database) {
  return {
    /** The number of the last entry. */
    tip: async (): Promise<bigint> => (await readTip(db)).seq,

    /** Postings on users' accounts of the entries after one and up to another; only on `accounts` where they are given. */
    userPostings: (query: Parameters<typeof readUserPostings>[1]) => readUserPostings(db, query),

    /** A user's postings of the entries after one and up to another, oldest first. `undefined` if some of these are in an archive. */
    async postingsOf({
      after,
      to,
      ...query
    }: {
      accounts: readonly string[]
      after: bigint
      to: bigint
      limit: number
    }) {
      const archived = await readArchiveEnd(db)
      if (archived && after < archived.seq) return undefined
      return readPostings(db, {
        ...query,
        range: { from: after + 1n, to },
        asset: undefined,
        kinds: undefined,
        order: 'oldest_first',
        after: undefined,
      })
    },
  }
}

export type StreamStore = ReturnType<typeof createStreamStore>
