import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { endLater } from './clean-up.ts'

/**
 * Serves a built page on a free loopback port as Clearwell's server serves its own: precompressed, with the same cache
 * headers. It runs in a worker thread, because Lighthouse keeps the main thread busy while the page loads.
 */
export async function startStaticServer(folder: string): Promise<string> {
  const worker = new Worker(new URL('./static-server.worker.ts', import.meta.url), { workerData: folder })
  endLater(() => worker.terminate())
  const [port] = (await once(worker, 'message')) as [number]
  return `http://127.0.0.1:${port}/`
}
