import type { Database } from '@clearwell/ledger/database'
import { readOneMoment } from '@clearwell/ledger/reads'
import type { Sibling } from '@clearwell/proofs/sum-tree'
import { type PlacePath, readBlocks } from './path-trees.ts'
import { type PositionPaths, readPositionHashes } from './position-paths.ts'
import type { MadeHeader, ProofSettings } from './proof-books.ts'
import { type Asked, openProofChannel } from './proof-channel.ts'
import { type BookSink, type BookSource, readBooks } from './read-books.ts'

/** The thread of the trees. It starts with the first header or path and ends with {@link ProofThread.stop}. */
export interface ProofThread {
  /** Makes the header of the committed ledger; `undefined` before the watcher has read a block. */
  make(): Promise<MadeHeader | undefined>
  /** Returns the leaf and the path of a place in each tree of a header; `undefined` if the header is too old. */
  prove(number: bigint, place: number): Promise<PlacePath[] | undefined>
  /** Returns the root of a header's positions tree, as the stored positions make it, and the places of leaves in it. */
  provePositions(number: bigint, hashes: readonly string[]): Promise<PositionPaths>
  stop(): Promise<void>
}

/**
 * @param databaseUrl the thread reads the books itself by its own connection. Absent: `db` is in this process, and this thread reads.
 */
export function createProofThread(deps: {
  readonly settings: ProofSettings
  readonly source: BookSource
  readonly databaseUrl: string | undefined
  readonly db: Database
}): ProofThread {
  const { settings, source, databaseUrl, db } = deps
  const channel = openProofChannel({ settings, source, databaseUrl })
  const { ask } = channel

  async function askForHeader(request: Asked): Promise<MadeHeader | undefined> {
    const { made } = await ask(request)
    // Bytes arrive without the methods of a buffer.
    return made && { ...made, block: Buffer.from(made.block) }
  }

  // The loop and an advance of the local clock can ask together. Leaves of a second moment must not arrive before the header of the first.
  let last: Promise<unknown> = Promise.resolve()
  function makeInTurn(): Promise<MadeHeader | undefined> {
    const made = last.then(readAndMake)
    last = made.catch(() => {})
    return made
  }

  async function readAndMake(): Promise<MadeHeader | undefined> {
    const sent: Promise<unknown>[] = []
    const send = (request: Asked) => {
      const done = ask(request)
      // Awaited below; without a handler until then, a fault would end the process.
      done.catch(() => {})
      sent.push(done)
    }
    const sink: BookSink = {
      known: channel.known,
      clear: () => send({ kind: 'clear' }),
      add: (page) => send({ kind: 'add', page }),
    }
    const moment = await readOneMoment(db, (tx) => readBooks(tx, source, sink))
    await Promise.all(sent)
    return moment && askForHeader({ kind: 'make', moment })
  }

  async function prove(number: bigint, place: number): Promise<PlacePath[] | undefined> {
    if (databaseUrl === undefined && number > channel.followed)
      for await (const blocks of readBlocks(db, { after: channel.followed, to: number }))
        await ask({ kind: 'follow', blocks })
    const { paths } = await ask({ kind: 'prove', number, place })
    const toSibling = ({ hash, sum }: Sibling): Sibling => ({ hash: Buffer.from(hash), sum })
    return paths?.map(({ leaf, path }) => ({ leaf: toSibling(leaf), path: path.map(toSibling) }))
  }

  async function provePositions(number: bigint, hashes: readonly string[]): Promise<PositionPaths> {
    const all = databaseUrl === undefined ? { all: await readPositionHashes(db, number) } : {}
    const { positions } = await ask({ kind: 'prove_positions', number, hashes, ...all })
    if (!positions) throw new Error('the thread of proofs gave no positions')
    return positions
  }

  return {
    make: () => (databaseUrl === undefined ? makeInTurn() : askForHeader({ kind: 'read_and_make' })),
    prove,
    provePositions,
    stop: channel.stop,
  }
}
