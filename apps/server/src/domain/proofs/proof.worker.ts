import { parentPort, workerData } from 'node:worker_threads'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { type MadeHeader, makeHeader, ProofBooks, type ProofSettings } from './proof-books.ts'
import type { BookMoment, BookPage, BookSource } from './read-books.ts'

/** The trees of balances in their own thread, so that no hash delays the writer. */

/** One connection. A header of a large ledger reads every balance once, after a start. */
const READING = { maxConnections: 1, maxQueryMs: 600_000, name: 'clearwell proofs' }

export interface ProofThreadData {
  readonly settings: Omit<ProofSettings, 'dataSecret'> & { readonly dataSecret: Uint8Array }
  readonly source: BookSource
  /** Absent: the other thread reads the books, because only it has the database. */
  readonly databaseUrl: string | undefined
}

export type ProofRequest = { readonly id: number } & (
  | { readonly kind: 'read_and_make' }
  | { readonly kind: 'clear' }
  | { readonly kind: 'add'; readonly page: BookPage }
  | { readonly kind: 'make'; readonly moment: BookMoment }
)

export interface ProofResponse {
  readonly id: number
  readonly made?: MadeHeader | undefined
  /** The headers whose leaves are known. */
  readonly known: readonly bigint[]
  readonly error?: string
}

const { settings, source, databaseUrl } = workerData as ProofThreadData
const books = new ProofBooks({ ...settings, dataSecret: Buffer.from(settings.dataSecret) })
const db = databaseUrl === undefined ? undefined : openPostgresDatabase(databaseUrl, READING)

async function respond(request: ProofRequest): Promise<MadeHeader | undefined> {
  switch (request.kind) {
    case 'read_and_make':
      if (!db) throw new Error('the thread of proofs has no database')
      return makeHeader(await db, books, source)
    case 'clear':
      books.clear()
      return undefined
    case 'add':
      books.add(request.page)
      return undefined
    case 'make':
      return books.make(request.moment)
  }
}

/** Requests are served one after another. */
let last: Promise<unknown> = Promise.resolve()
parentPort?.on('message', (request: ProofRequest) => {
  last = last.then(async () => {
    const { id } = request
    const response = await respond(request).then(
      (made): ProofResponse => ({ id, made, known: books.known }),
      (error: unknown): ProofResponse => ({ id, known: books.known, error: String(error) }),
    )
    parentPort?.postMessage(response)
  })
})
