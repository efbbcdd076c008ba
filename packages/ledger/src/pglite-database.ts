import { AsyncLocalStorage } from 'node:async_hooks'
import { PGlite } from '@electric-sql/pglite'
import type { Database, Queryable } from './database.ts'
import { createPgliteStatements } from './pglite-statements.ts'

/**
 * Opens PGlite, PostgreSQL compiled to WebAssembly, in this process.
 *
 * PGlite takes no lock on its folder and does not fsync. The caller holds the lock file (see `data-folder-lock.ts`). Use it
 * to try, develop and test.
 *
 * @param folder data folder, or `undefined` to keep the data in memory.
 * @param options.bufferMb buffers of a new database. PGlite's default is 128; a page that is in no buffer costs much more.
 */
export async function openPgliteDatabase(folder?: string, { bufferMb = 128 } = {}): Promise<Database> {
  const pglite = await PGlite.create({
    ...(folder === undefined ? {} : { dataDir: folder }),
    initDbStartParams: [`--set=shared_buffers=${bufferMb}MB`],
  })
  // Otherwise one statement in each 16 MB of log fills the next file with zeros, and holds the only connection for 30 ms.
  await pglite.exec('set wal_init_zero = off')
  return pgliteDatabase(pglite)
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
  const statements = createPgliteStatements(pglite)
  /** Within a transaction, or alone. */
  const run = <Row extends object>(text: string, params: readonly unknown[] = []) =>
    pglite.runExclusive(() => statements.run<Row>(text, params))
  async function alone<Result>(work: () => Promise<Result>): Promise<Result> {
    await pglite._checkReady()
    return pglite._runExclusiveTransaction(work)
  }

  return {
    kind: 'pglite',
    async query(text, params) {
      refuseInTransaction(text)
      return alone(() => run(text, params))
    },
    async transaction(work) {
      refuseInTransaction('another transaction')
      const state = { isOpen: true }
      await pglite._checkReady()
      return pglite.transaction(async () => {
        const queryable: Queryable = {
          async query(text, params) {
            if (!state.isOpen) throw new Error(`the transaction has ended: ${text}`)
            return run(text, params)
          },
        }
        try {
          return await transactions.run(state, () => work(queryable))
        } finally {
          // Work that is left running may query again.
          state.isOpen = false
        }
      })
    },
    // PGlite queues transactions and runs them in the order of the calls.
    commitInOrder: (ordered) => alone(() => pglite.runExclusive(() => statements.runTogether(ordered))),
    async script(text) {
      await pglite.exec(text)
      await alone(() => pglite.runExclusive(() => statements.forget()))
    },
    close: () => pglite.close(),
  }
}
