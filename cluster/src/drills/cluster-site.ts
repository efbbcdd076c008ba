import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { CommandLoadOptions } from '@clearwell/sim/src/drills/command-load.ts'
import type { Ends } from '@clearwell/sim/src/drills/drill.ts'
import { prepareTraders, withDatabase } from '@clearwell/sim/src/drills/site.ts'
import { type ClusterOptions, type LocalCluster, startLocalCluster } from '../local-cluster.ts'
import type { LocalMachine, ProgramName } from '../machine.ts'
import { membersOf } from '../patroni-status.ts'
import { tailOf, until } from '../program.ts'
import { readState } from '../read-state.ts'
import type { ClusterDrillResult } from './cluster-drill.ts'
import { compareFeatures, startFeatureLoad } from './feature-load.ts'
import { startReadLoad } from './read-load.ts'

const USERS = 8
/** Commands between the steps of a drill. */
const SOME = 100
const RECOVERED_MS = 120_000
const WHOLE_MS = 120_000

/** A cluster under load, for one drill. */
export interface ClusterSite {
  readonly cluster: LocalCluster
  /** The machine whose database leads. */
  primary(): Promise<LocalMachine>
  /** A machine whose database does not lead; the synchronous standby first. */
  standbys(): Promise<readonly LocalMachine[]>
  /** The machine whose server writes. */
  writer(): Promise<LocalMachine>
  /** Resolves once some more commands are acknowledged. */
  acknowledge(): Promise<void>
  readonly acknowledged: number
  longestGapSince(momentMs: number): number
  /** Waits until three databases run again, one of them synchronous. @returns the seconds that it took. */
  whole(): Promise<number>
  /** Ends the load and compares it with the ledger. @param fault from when until when the reads count. */
  conclude(
    fault: { readonly fromMs: number; readonly toMs: number },
    result: Pick<ClusterDrillResult, 'secondsToRecovery' | 'notes'>,
  ): Promise<ClusterDrillResult>
}

/** @param commandOf a client's next command, where the load is another one. */
export async function openClusterSite(
  ends: Ends,
  { commandOf, ...options }: Partial<ClusterOptions> & { readonly commandOf?: CommandLoadOptions['commandOf'] } = {},
): Promise<ClusterSite> {
  const cluster = await startLocalCluster({ ends, say: console.log, ...options })
  const { layout, machines, certificate } = cluster
  const tokens = await prepareTraders(cluster.variables, ends, USERS)
  await Promise.all(machines.map(startMachine))
  for (const bookkeeper of cluster.bookkeepers) await cluster.startBookkeeper(bookkeeper)
  const clients = { tokens, certificate }
  const load = startFeatureLoad(cluster.urls, { ...clients, ...(commandOf ? { commandOf } : {}) })
  const reads = startReadLoad(cluster.urls, clients)
  ends.push(async () => {
    await reads.stop()
    load.close()
  })
  const machineOf = (name: string | undefined) => machines.find(({ machine }) => machine.name === name)
  const site: ClusterSite = {
    cluster,
    async primary() {
      const primary = await cluster.primary()
      if (!primary) throw new Error('no database leads')
      return primary
    },
    async standbys() {
      const members = await membersOf(layout)
      const ofRole = (wanted: string) => members.filter(({ role }) => role === wanted)
      return [...ofRole('sync_standby'), ...ofRole('replica')].flatMap(({ name }) => machineOf(name) ?? [])
    },
    async writer() {
      const state = await readState(layout)
      const writer = machineOf(state.machines.find(({ isWriter }) => isWriter)?.name)
      if (!writer) throw new Error('no server writes')
      return writer
    },
    acknowledge: () => load.acknowledge(SOME, RECOVERED_MS),
    get acknowledged() {
      return load.count
    },
    longestGapSince: (momentMs) => load.longestGapSince(momentMs),
    async whole() {
      const fromMs = performance.now()
      const isWhole = async () => {
        const members = await membersOf(layout)
        const running = members.filter(({ state }) => state === 'running' || state === 'streaming')
        const roles = running.map(({ role }) => role)
        return running.length === machines.length && roles.includes('leader') && roles.includes('sync_standby')
      }
      await until('a whole cluster', isWhole, { withinMs: WHOLE_MS }).catch(async (error: Error) => {
        const states = (await membersOf(layout)).map((member) => JSON.stringify(member))
        const logs = machines.map(async ({ machine, folder }) => [
          machine.name,
          await tailOf(join(folder, 'patroni.log')),
        ])
        throw new Error([error.message, ...states, ...(await Promise.all(logs)).flat()].join('\n'))
      })
      return (performance.now() - fromMs) / 1_000
    },
    async conclude({ fromMs, toMs }, result) {
      const acknowledged = await load.stop()
      await reads.stop()
      const { asked, served } = reads.between(fromMs, toMs)
      const counts = await withDatabase(await cluster.adminUrl(), (db) => compareFeatures(db, acknowledged))
      return { ...counts, ...result, reads: `${served} of ${asked}` }
    },
  }
  await site.acknowledge()
  return site
}

const ORDER: readonly ProgramName[] = ['etcd', 'patroni', 'haproxy']

/** Starts what does not run on a machine. Its server needs a primary, so it may end and is started again. */
export async function startMachine(machine: LocalMachine): Promise<void> {
  for (const name of ORDER) if (!machine.isRunning(name)) await machine.start(name)
  const deadlineMs = performance.now() + RECOVERED_MS
  while (!machine.isRunning('server')) {
    await machine.start('server').catch(async (error: unknown) => {
      if (performance.now() > deadlineMs) throw error
      await wait(1_000)
    })
  }
}
