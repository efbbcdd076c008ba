import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Database } from '@clearwell/ledger/database'
import { readOneMoment } from '@clearwell/ledger/reads'
import type { Sibling } from '@clearwell/proofs/sum-tree'
import { type PlacePath, readBlocks } from './path-trees.ts'
import type { ProofRequest, ProofResponse, ProofThreadData } from './proof.worker.ts'
import type { MadeHeader, ProofSettings } from './proof-books.ts'
import { type BookSink, type BookSource, readBooks } from './read-books.ts'

/** The thread of the trees. It starts with the first header or path and ends with {@link ProofThread.stop}. */
export interface ProofThread {
  /** Makes the header of the committed ledger; `undefined` before the watcher has read a block. */
  make(): Promise<MadeHeader | undefined>
  /** Returns the leaf and the path of a place in each tree of a header; `undefined` if the header is too old. */
  prove(number: bigint, place: number): Promise<PlacePath[] | undefined>
  stop(): Promise<void>
}

/** The file of the thread. A release has it as JavaScript at the same place. */
const WORKER = join(import.meta.dirname, `proof.worker${extname(import.meta.filename)}`)

type Asked = ProofRequest extends infer Each ? (Each extends unknown ? Omit<Each, 'id'> : never) : never

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
  const waiting = new Map<number, PromiseWithResolvers<ProofResponse>>()
  let worker: Worker | undefined
  let requests = 0
  let known: readonly bigint[] = []
  let followed = 0n

  function fail(error: Error): void {
    worker = undefined
    known = []
    followed = 0n
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }

  function start(): Worker {
    const workerData: ProofThreadData = { settings, source, databaseUrl }
    const started = new Worker(WORKER, { workerData })
    started.on('message', (response: ProofResponse) => {
      waiting.get(response.id)?.resolve(response)
      waiting.delete(response.id)
    })
    started.on('error', fail)
    started.on('exit', () => fail(new Error('the thread of proofs has ended')))
    started.unref()
    return started
  }

  async function ask(request: Asked): Promise<ProofResponse> {
    worker ??= start()
    const id = ++requests
    const response = Promise.withResolvers<ProofResponse>()
    waiting.set(id, response)
    worker.postMessage({ ...request, id })
    const answered = await response.promise
    known = answered.known
    followed = answered.followed
    if (answered.error !== undefined) throw new Error(answered.error)
    return answered
  }

  async function askForHeader(request: Asked): Promise<MadeHeader | undefined> {
    const { made } = await ask(request)
    // Bytes arrive without the methods of a buffer.
    return made && { ...made, block: Buffer.from(made.block) }
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
      known,
      clear: () => send({ kind: 'clear' }),
      add: (page) => send({ kind: 'add', page }),
    }
    const moment = await readOneMoment(db, (tx) => readBooks(tx, source, sink))
    await Promise.all(sent)
    return moment && askForHeader({ kind: 'make', moment })
  }

  async function prove(number: bigint, place: number): Promise<PlacePath[] | undefined> {
    if (databaseUrl === undefined && number > followed)
      for await (const blocks of readBlocks(db, { after: followed, to: number })) await ask({ kind: 'follow', blocks })
    const { paths } = await ask({ kind: 'prove', number, place })
    const toSibling = ({ hash, sum }: Sibling): Sibling => ({ hash: Buffer.from(hash), sum })
    return paths?.map(({ leaf, path }) => ({ leaf: toSibling(leaf), path: path.map(toSibling) }))
  }

  return {
    make: () => (databaseUrl === undefined ? readAndMake() : askForHeader({ kind: 'read_and_make' })),
    prove,
    async stop() {
      await worker?.terminate()
    },
  }
}
