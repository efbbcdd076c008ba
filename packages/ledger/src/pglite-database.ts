import { PGlite, type Transaction, types } from '@electric-sql/pglite'
import type { Database, Queryable } from './database.ts'

const PARSERS = {
  [types.INT8]: BigInt,
  [types.NUMERIC]: BigInt,
  [types.TIMESTAMPTZ]: (text: string) => new Date(text),
}

/**
 * Opens PGlite, PostgreSQL compiled to WebAssembly, in this process.
 *
 * It takes no lock on its folder and does not fsync: the caller holds the lock file (see `data-folder-lock.ts`), and
 * it serves trying, developing and testing.
 *
 * @param folder where it keeps its data, or `undefined` to keep it in memory.
 */
export async function openPgliteDatabase(folder?: string): Promise<Database> {
  return pgliteDatabase(await PGlite.create(folder === undefined ? {} : { dataDir: folder }))
}

/** Makes a PGlite that is open already speak as a {@link Database}. */
export function pgliteDatabase(pglite: PGlite): Database {
  const run = async <Row extends object>(on: PGlite | Transaction, text: string, params?: readonly unknown[]) =>
    (await on.query<Row>(text, params as unknown[] | undefined, { parsers: PARSERS })).rows

  return {
    kind: 'pglite',
    query: (text, params) => run(pglite, text, params),
    transaction: (work) =>
      pglite.transaction((tx) => {
        const queryable: Queryable = { query: (text, params) => run(tx, text, params) }
        return work(queryable)
      }),
    // Its transactions wait for each other, in the order in which they were asked for.
    commitInOrder: (statements) =>
      pglite.transaction(async (tx) => {
        for (const { text, params } of statements) await run(tx, text, params)
      }),
    async script(text) {
      await pglite.exec(text)
    },
    close: () => pglite.close(),
  }
}
