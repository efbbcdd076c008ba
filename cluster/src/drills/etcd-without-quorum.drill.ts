import { setTimeout as wait } from 'node:timers/promises'
import type { ClusterDrill } from './cluster-drill.ts'
import { openClusterSite } from './cluster-site.ts'

/** Longer than Patroni's lease, so that the primary steps down. */
const AWAY_MS = 40_000

export const drill: ClusterDrill = {
  about: 'two of three members of etcd are killed under load, and started again 40 seconds later',
  async run(ends) {
    const site = await openClusterSite(ends)
    const [first, second] = site.cluster.machines
    const gone = [first, second].flatMap((each) => each ?? [])
    const killedMs = performance.now()
    await Promise.all(gone.map((machine) => machine.kill(['etcd'])))
    await wait(AWAY_MS)
    const backMs = performance.now()
    for (const machine of gone) await machine.start('etcd')
    await site.acknowledge()
    const secondsToRecovery = site.longestGapSince(backMs)
    const without = site.longestGapSince(killedMs)
    await site.whole()
    await site.acknowledge()
    const notes = `seconds since etcd was started again; ${without.toFixed(1)} without writes in all`
    return site.conclude({ fromMs: killedMs, toMs: backMs }, { secondsToRecovery, notes })
  },
}
