import { parseArgs } from 'node:util'
import type { Bench } from './bench.ts'
import { compareReads } from './cluster-reads.ts'
import { type ClusterOptions, type ClusterSite, openClusterSite } from './cluster-site.ts'
import { compareStreams } from './cluster-streams.ts'
import { compareSwaps } from './cluster-swaps.ts'
import { machine } from './machine.ts'
import { wholeNumber } from './whole-number.ts'

const PARTS: Readonly<Record<string, (site: ClusterSite, options: ClusterOptions) => Promise<void>>> = {
  swaps: compareSwaps,
  streams: compareStreams,
  reads: compareReads,
}

export default {
  about:
    'processor time of a cluster: a swap by one server and by a writer with a web server, streams at 1, 2 and 3 web servers, reads on a replica (--only swaps,streams,reads, --clients 64, --streams 500, --seconds 5, --rounds 3)',
  run: benchCluster,
} satisfies Bench

/** Measures processor time, as all servers of the cluster share this machine. */
async function benchCluster(args: string[]): Promise<void> {
  const text = (fallback: string) => ({ type: 'string', default: fallback }) as const
  const { values } = parseArgs({
    args,
    options: {
      only: text(Object.keys(PARTS).join(',')),
      clients: text('64'),
      streams: text('500'),
      seconds: text('5'),
      rounds: text('3'),
    },
  })
  const options = {
    clients: wholeNumber('--clients', values.clients),
    streams: wholeNumber('--streams', values.streams),
    seconds: wholeNumber('--seconds', values.seconds),
    rounds: wholeNumber('--rounds', values.rounds),
  }
  const names = values.only.split(',')
  const unknown = names.filter((name) => !(name in PARTS))
  if (unknown.length > 0)
    throw new Error(`--only knows ${Object.keys(PARTS).join(', ')}, and not ${unknown.join(', ')}`)
  console.log(`${machine()} Clients, servers and database share the machine.`)
  for (const name of names) {
    console.log(`… ${name}`)
    // Each part has its own ledger, so that the order of the parts changes nothing.
    await PARTS[name]?.(await openClusterSite(), options)
  }
}
