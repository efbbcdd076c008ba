import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ProofRequest, ProofResponse, ProofThreadData } from './proof.worker.ts'

export type Asked = ProofRequest extends infer Each ? (Each extends unknown ? Omit<Each, 'id'> : never) : never

/** Requests to the thread of the trees, which starts with the first one. */
export interface ProofChannel {
  /** The headers whose leaves the thread knows. */
  readonly known: readonly bigint[]
  /** The header that the thread's trees of paths have followed to. */
  readonly followed: bigint
  /** @throws Error if the request fails or the thread ends. */
  ask(request: Asked): Promise<ProofResponse>
  stop(): Promise<void>
}

/** The file of the thread. A release has it as JavaScript at the same place. */
const WORKER = join(import.meta.dirname, `proof.worker${extname(import.meta.filename)}`)

/** The state of a thread that has just started. */
const NOTHING: Pick<ProofChannel, 'known' | 'followed'> = { known: [], followed: 0n }

export function openProofChannel(workerData: ProofThreadData): ProofChannel {
  const waiting = new Map<number, PromiseWithResolvers<ProofResponse>>()
  let worker: Worker | undefined
  let requests = 0
  let state = NOTHING

  /** A thread that ends by an error also reports its exit, and the next thread may run by then. */
  function fail(ended: Worker, error: Error): void {
    if (ended !== worker) return
    worker = undefined
    state = NOTHING
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }

  function start(): Worker {
    const started = new Worker(WORKER, { workerData })
    started.on('message', (response: ProofResponse) => {
      waiting.get(response.id)?.resolve(response)
      waiting.delete(response.id)
    })
    started.on('error', (error) => fail(started, error))
    started.on('exit', () => fail(started, new Error('the thread of proofs has ended')))
    started.unref()
    return started
  }

  return {
    get known() {
      return state.known
    },
    get followed() {
      return state.followed
    },
    async ask(request) {
      worker ??= start()
      const id = ++requests
      const response = Promise.withResolvers<ProofResponse>()
      waiting.set(id, response)
      worker.postMessage({ ...request, id })
      const received = await response.promise
      state = received
      if (received.error !== undefined) throw new Error(received.error)
      return received
    },
    async stop() {
      await worker?.terminate()
    },
  }
}
