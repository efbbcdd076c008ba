import type { ResponseOf } from '@clearwell/api/routes'
import type { Evidence, Step } from '@clearwell/verify/verify-box'
import { call } from '../../../api/client.ts'
import { download } from '../../../api/download.ts'
import type { Box } from '../blind-box.queries.ts'
import { notedClick } from './noted-clicks.ts'
import { seenRoot } from './seen-roots.ts'

/** A day of more boxes is for `clearwell-verify`: its file has some 350 bytes for each. */
const MOST_BOXES = 5_000
const PAGE = 100
/** A day with more entries is checked by the sums that the server gives for each kind. */
const MOST_PAGES = 10

export interface Verification {
  readonly evidence: Evidence
  readonly steps: readonly Step[]
}

/**
 * Loads what is published of a box and its day, and repeats draw and reward in a worker.
 *
 * @throws ApiError or NoResponseError if the box's own proof cannot be loaded; the other parts are left out instead.
 */
export async function verifyInWorker(
  { box_id }: Pick<Box, 'box_id'>,
  { rpcUrl, signal }: { readonly rpcUrl: string | undefined; readonly signal: AbortSignal },
): Promise<Verification> {
  const proof = await call('boxInclusion', { box_id }, { signal })
  const { header } = proof
  const [boxes, block, sources] = await Promise.all([
    header.box_count <= MOST_BOXES ? orAbsent(loadBoxes(header.day, signal)) : undefined,
    header.block_number !== null && rpcUrl ? orAbsent(loadBlock(rpcUrl, header.block_number)) : undefined,
    orAbsent(loadSources(header.day, signal)),
  ])
  const evidence: Evidence = {
    ...proof,
    boxes,
    block,
    sources,
    noted: notedClick(box_id),
    seen: seenRoot(header.day),
  }
  return { evidence, steps: await runInWorker(evidence, signal) }
}

async function loadBoxes(day: string, signal: AbortSignal): Promise<Evidence['boxes']> {
  const { response } = await download('boxDayFile', { day }, { signal })
  return ((await response.json()) as { boxes: Evidence['boxes'] }).boxes
}

async function loadBlock(rpcUrl: string, number: number) {
  return (await import('../../../wallet/read-block.ts')).readBlock(rpcUrl, number)
}

async function loadSources(day: string, signal: AbortSignal): Promise<Evidence['sources']> {
  const items: ResponseOf<'boxSources'>['items'] = []
  let [page, cursor]: [ResponseOf<'boxSources'> | undefined, string | null] = [undefined, null]
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    page = await call('boxSources', { day, limit: PAGE, ...(cursor === null ? {} : { cursor }) }, { signal })
    items.push(...page.items)
    cursor = page.next_cursor
    if (cursor === null) break
  }
  const { pools = [], sources = [] } = page ?? {}
  // Entries in an archive are no longer listed: then the sums alone are checked.
  return { pools, sources, items: cursor === null && !page?.is_archived ? items : undefined }
}

/** @throws Error if the worker cannot start. */
function runInWorker(evidence: Evidence, signal: AbortSignal): Promise<Step[]> {
  const worker = new Worker(new URL('./verify-box.worker.ts', import.meta.url), { type: 'module' })
  return new Promise<Step[]>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Step[]>) => resolve(data))
    worker.addEventListener('error', ({ message }) => reject(new Error(message)))
    signal.addEventListener('abort', () => reject(signal.reason))
    worker.postMessage(evidence)
  }).finally(() => worker.terminate())
}

/** A part that does not load leaves its step unchecked. */
function orAbsent<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  return promise.catch(() => undefined)
}
