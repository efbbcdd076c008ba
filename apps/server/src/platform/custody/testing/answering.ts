import type { Database, Queryable } from '@clearwell/ledger/database'

/**
 * A database some of whose reads a test answers, also within transactions.
 *
 * @param answer the rows of a statement, or `undefined` to run it.
 */
export function answering(
  db: Database,
  answer: (text: string, params: readonly unknown[]) => readonly object[] | undefined,
): Database {
  const over = <Kind extends Queryable>(queryable: Kind): Kind => ({
    ...queryable,
    query: async (text: string, params: readonly unknown[] = []) =>
      answer(text, params) ?? queryable.query(text, params),
  })
  return { ...over(db), transaction: (work) => db.transaction((tx) => work(over(tx))) }
}

/** The statement that reads the last entry of the ledger. */
export const TIP_TEXT = 'from entries order by seq desc'
