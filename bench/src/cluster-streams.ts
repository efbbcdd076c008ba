import { setTimeout as sleep } from 'node:timers/promises'
import { formatTable } from '../../scripts/format-table.ts'
import { endLater } from './clean-up.ts'
import type { ClusterOptions, ClusterSite } from './cluster-site.ts'
import { cpuUs } from './cpu.ts'
import { openStreams } from './poll-clients.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { call, makeUsers } from './users.ts'

const MOST_WEB_SERVERS = 3
/** A swap a second changes the pools that the streams send. */
const SWAP_EVERY_MS = 1_000
const WARM_UP_MS = 4_000
const AIM = 0.95

/** Processor time that one user takes in a second, in microseconds, with what the servers use without users. */
interface Figure {
  readonly webUs: number
  readonly writerUs: number
  readonly framesPerSecond: number
}

/**
 * Opens streams at one, two and three web servers behind one writer, as many at each, and compares what a user costs. Servers that get
 * in each other's way would make a user dearer.
 */
export async function compareStreams({ variables }: ClusterSite, options: ClusterOptions): Promise<void> {
  const first = await startServerProcess(variables)
  const [trader] = await makeUsers(first.url, 1)
  await first.stop()
  const writer = await startServerProcess({ ...variables, ROLE: 'writer' })
  // The trader's web server has no streams and is not measured.
  const other = await startServerProcess({ ...variables, ROLE: 'web' })
  endLater(startSwaps(other.url, trader?.token ?? ''))
  const webs: ServerProcess[] = []
  while (webs.length < MOST_WEB_SERVERS) webs.push(await startServerProcess({ ...variables, ROLE: 'web' }))
  // A server that has just started compiles its code.
  await measure(writer, webs, options)
  const figures: Figure[][] = []
  for (let round = 1; round <= options.rounds; round++) {
    console.log(`… round ${round} of ${options.rounds}`)
    const counts = webs.map((_, index) => index + 1)
    const ofRound: Figure[] = []
    for (const count of round % 2 === 0 ? counts.toReversed() : counts)
      ofRound[count - 1] = await measure(writer, webs.slice(0, count), options)
    figures.push(ofRound)
  }
  printTable(figures, options)
}

async function measure(
  writer: ServerProcess,
  webs: readonly ServerProcess[],
  { streams, seconds }: ClusterOptions,
): Promise<Figure> {
  const open = await Promise.all(webs.map(({ url }) => openStreams(new URL(url), streams)))
  await sleep(WARM_UP_MS)
  const read = async () => ({
    web: (await Promise.all(webs.map(({ pid }) => cpuUs(pid)))).reduce((sum, each) => sum + each, 0),
    writer: await cpuUs(writer.pid),
    frames: open.reduce((sum, each) => sum + each.count(), 0),
    ms: performance.now(),
  })
  const before = await read()
  await sleep(seconds * 1_000)
  const after = await read()
  for (const each of open) each.close()
  const userSeconds = (webs.length * streams * (after.ms - before.ms)) / 1_000
  const each = (part: 'web' | 'writer' | 'frames') => (after[part] - before[part]) / userSeconds
  return { webUs: each('web'), writerUs: each('writer'), framesPerSecond: each('frames') }
}

/** One swap after the other at a steady rate. Returns how to end them. */
function startSwaps(url: string, token: string): () => Promise<void> {
  let isOn = true
  const running = (async () => {
    for (let turn = 0, dueMs = performance.now(); isOn; turn++, dueMs += SWAP_EVERY_MS) {
      const sale = turn % 2 === 0 ? ({ amount: '0.01', inverse: 0 } as const) : ({ amount: '6.2', inverse: 1 } as const)
      const deadline = Math.floor(Date.now() / 1_000) + 600
      await call(url, 'doSwap', { pool_id: 'bnb-usdt', ...sale, min_amount_out: '0', deadline }, token)
      await sleep(Math.max(0, dueMs + SWAP_EVERY_MS - performance.now()))
    }
  })()
  return async () => {
    isOn = false
    await running
  }
}

function printTable(figures: readonly Figure[][], { streams }: ClusterOptions): void {
  const rows = figures.flatMap((round, index) =>
    round.map(({ webUs, writerUs, framesPerSecond }, more) => {
      const first = round[0] as Figure
      return [
        `${more + 1} web server${more === 0 ? '' : 's'}, round ${index + 1}`,
        String((more + 1) * streams),
        framesPerSecond.toFixed(2),
        webUs.toFixed(0),
        writerUs.toFixed(0),
        (first.webUs / webUs).toFixed(2),
        ((first.webUs + first.writerUs) / (webUs + writerUs)).toFixed(2),
      ]
    }),
  )
  const head = ['', 'users', 'frames a second', 'web servers µs', 'writer µs', `linear (aim ${AIM})`, 'with the writer']
  console.log(`\n${formatTable([head, ...rows])}`)
  console.log(
    'µs: processor time of one user in a second. Linear: the cost of a user at one web server over the cost at so many.',
  )
}
