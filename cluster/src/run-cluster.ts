import { setTimeout as wait } from 'node:timers/promises'
import { type LocalCluster, startLocalCluster } from './local-cluster.ts'
import { type ClusterState, readState } from './read-state.ts'
import { tableOf } from './table.ts'

const TURN_MS = 1_000
/** Without a terminal, the table is written now and then. */
const TURNS_WITHOUT_TERMINAL = 10

/** `npm run cluster`: starts a cluster and shows its table until a signal comes. Every process is ended before it returns. */
export async function runCluster(): Promise<void> {
  const ends: (() => Promise<unknown>)[] = []
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
  try {
    const cluster = await startLocalCluster({
      ends,
      say: console.log,
      withApp: true,
      withBookkeepers: true,
      signal: stopping.signal,
    })
    await cluster.startServers()
    for (const bookkeeper of cluster.bookkeepers) await cluster.startBookkeeper(bookkeeper)
    console.log(welcome(cluster))
    await showTable(cluster, stopping.signal)
  } catch (error) {
    if (!stopping.signal.aborted) throw error
  } finally {
    console.log('\nEnding every process of the cluster.')
    for (const end of ends.reverse()) await end().catch((error: Error) => console.error(error.message))
  }
}

function welcome({ urls, folder, machines }: LocalCluster): string {
  const logs = `${folder}/<machine>/{etcd,patroni,haproxy,server}.log and ${folder}/bookkeeper-*.log`
  const stop = `kill -9 of what ${folder}/${machines[0]?.machine.name} runs`
  return `
The product at each machine, by a certificate that only this cluster knows:
  ${urls.join('\n  ')}
Logs: ${logs}
Ctrl-C ends everything and removes the folder. Try ${stop}.
`
}

async function showTable({ layout }: LocalCluster, signal: AbortSignal): Promise<void> {
  let before: { readonly state: ClusterState; readonly atMs: number } | undefined
  let shown = 0
  for (let turn = 0; !signal.aborted; turn++) {
    const state = await readState(layout)
    const now = { state, atMs: performance.now() }
    const rate = before && ratePerSecond(before.state.commands, state.commands, now.atMs - before.atMs)
    before = now
    const lines = tableOf(state, rate)
    if (process.stdout.isTTY) {
      const up = shown > 0 ? `\u001b[${shown}A\u001b[J` : ''
      process.stdout.write(`${up}${lines.join('\n')}\n`)
      shown = lines.length
    } else if (turn % TURNS_WITHOUT_TERMINAL === 0) console.log(lines.join('\n'))
    await wait(TURN_MS, undefined, { signal }).catch(() => {})
  }
}

/** A server that ended takes its count with it, so the sum can fall: that reading counts as none. */
export function ratePerSecond(before: number, now: number, ms: number): number {
  return Math.max(0, now - before) / (ms / 1_000)
}
