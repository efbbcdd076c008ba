import { parentPort, workerData } from 'node:worker_threads'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { type DataBlock, PathTrees, type PlacePath, readBlocks } from './path-trees.ts'
import { type PositionPaths, PositionTree, readPositionHashes } from './position-paths.ts'
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
  | { readonly kind: 'follow'; readonly blocks: readonly DataBlock[] }
  | { readonly kind: 'prove'; readonly number: bigint; readonly place: number }
  | {
      readonly kind: 'prove_positions'
      readonly number: bigint
      readonly hashes: readonly string[]
      readonly all?: readonly string[]
    }
)

export interface ProofResponse {
  readonly id: number
  readonly made?: MadeHeader | undefined
  readonly paths?: readonly PlacePath[] | undefined
  readonly positions?: PositionPaths | undefined
  /** The header that the trees of paths have followed to. */
  readonly followed: bigint
  /** The headers whose leaves are known. */
  readonly known: readonly bigint[]
  readonly error?: string
}

const { settings, source, databaseUrl } = workerData as ProofThreadData
const dataSecret = Buffer.from(settings.dataSecret)
const books = new ProofBooks({ ...settings, dataSecret })
const paths = new PathTrees(dataSecret)
const positions = new PositionTree()
const db = databaseUrl === undefined ? undefined : openPostgresDatabase(databaseUrl, READING)

async function respond(request: ProofRequest): Promise<Pick<ProofResponse, 'made' | 'paths' | 'positions'>> {
  switch (request.kind) {
    case 'read_and_make':
      if (!db) throw new Error('the thread of proofs has no database')
      return { made: await makeHeader(await db, books, source) }
    case 'clear':
      books.clear()
      return {}
    case 'add':
      books.add(request.page)
      return {}
    case 'make':
      return { made: books.make(request.moment) }
    case 'follow':
      paths.add(request.blocks)
      return {}
    case 'prove':
      return { paths: await prove(request) }
    case 'prove_positions':
      return { positions: await provePositions(request) }
  }
}

async function prove({ number, place }: { readonly number: bigint; readonly place: number }) {
  if (db && number > paths.number)
    for await (const blocks of readBlocks(await db, { after: paths.number, to: number })) paths.add(blocks)
  return paths.pathsAt(number, place)
}

async function provePositions({ number, hashes, all }: Extract<ProofRequest, { kind: 'prove_positions' }>) {
  if (positions.number !== number) positions.hold(number, all ?? (db ? await readPositionHashes(await db, number) : []))
  return positions.pathsOf(hashes)
}

/** Requests are served one after another. */
let last: Promise<unknown> = Promise.resolve()
parentPort?.on('message', (request: ProofRequest) => {
  last = last.then(async () => {
    const { id } = request
    const response = await respond(request).then(
      (done): ProofResponse => ({ id, ...done, ...state() }),
      (error: unknown): ProofResponse => ({ id, ...state(), error: String(error) }),
    )
    parentPort?.postMessage(response)
  })
})

const state = () => ({ known: books.known, followed: paths.number })
