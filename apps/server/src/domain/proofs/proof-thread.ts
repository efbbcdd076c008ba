import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Database } from '@clearwell/ledger/database'
import { readOneMoment } from '@clearwell/ledger/reads'
import type { ProofRequest, ProofResponse, ProofThreadData } from './proof.worker.ts'
import type { MadeHeader, ProofSettings } from './proof-books.ts'
import { type BookSink, type BookSource, readBooks } from './read-books.ts'

/** The thread of the trees. It starts with the first header and ends with {@link ProofThread.stop}. */
export interface ProofThread {
  /** Makes the header of the committed ledger; `undefined` before the watcher has read a block. */
  make(): Promise<MadeHeader | undefined>
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

  function fail(error: Error): void {
    worker = undefined
    known = []
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

  async function ask(request: Asked): Promise<MadeHeader | undefined> {
    worker ??= start()
    const id = ++requests
    const response = Promise.withResolvers<ProofResponse>()
    waiting.set(id, response)
    worker.postMessage({ ...request, id })
    const { made, error, known: nowKnown } = await response.promise
    known = nowKnown
    if (error !== undefined) throw new Error(error)
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
    return moment && ask({ kind: 'make', moment })
  }

  return {
    make: () => (databaseUrl === undefined ? readAndMake() : ask({ kind: 'read_and_make' })),
    async stop() {
      await worker?.terminate()
    },
  }
}
