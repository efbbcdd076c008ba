import { AsyncLocalStorage } from 'node:async_hooks'
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
 * PGlite takes no lock on its folder and does not fsync. The caller holds the lock file (see `data-folder-lock.ts`). Use it
 * to try, develop and test.
 *
 * @param folder data folder, or `undefined` to keep the data in memory.
 */
export async function openPgliteDatabase(folder?: string): Promise<Database> {
  return pgliteDatabase(await PGlite.create(folder === undefined ? {} : { dataDir: folder }))
}

/**
 * Wraps an open PGlite as a {@link Database}. It has one connection: a transaction that waited for a query beside it would
 * wait forever, so such a query is refused.
 */
export function pgliteDatabase(pglite: PGlite): Database {
  const transactions = new AsyncLocalStorage<{ isOpen: boolean }>()
  function refuseInTransaction(text: string) {
    if (transactions.getStore()?.isOpen) throw new Error(`a transaction waits for a query outside it: ${text}`)
  }
  const run = async <Row extends object>(on: PGlite | Transaction, text: string, params?: readonly unknown[]) =>
    (await on.query<Row>(text, params as unknown[] | undefined, { parsers: PARSERS })).rows

  return {
    kind: 'pglite',
    async query(text, params) {
      refuseInTransaction(text)
      return run(pglite, text, params)
    },
    async transaction(work) {
      refuseInTransaction('another transaction')
      const state = { isOpen: true }
      return pglite.transaction(async (tx) => {
        const queryable: Queryable = { query: (text, params) => run(tx, text, params) }
        try {
          return await transactions.run(state, () => work(queryable))
        } finally {
          // Work that is left running may query again.
          state.isOpen = false
        }
      })
    },
    // PGlite queues transactions and runs them in the order of the calls.
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
