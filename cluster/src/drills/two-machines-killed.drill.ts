import { setTimeout as wait } from 'node:timers/promises'
import type { ClusterDrill } from './cluster-drill.ts'
import { openClusterSite, startMachine } from './cluster-site.ts'

/** How long both are away. */
const AWAY_MS = 20_000

export const drill: ClusterDrill = {
  about: 'every process on two machines, one of them the primary’s, is killed at the same time; later both start again',
  async run(ends) {
    const site = await openClusterSite(ends)
    const gone = [await site.primary(), (await site.standbys())[0]].flatMap((each) => each ?? [])
    const fromMs = performance.now()
    await Promise.all(gone.map((machine) => machine.kill()))
    await wait(AWAY_MS)
    const toMs = performance.now()
    const starting = Promise.all(gone.map(startMachine))
    await site.acknowledge()
    const secondsToRecovery = site.longestGapSince(toMs)
    const without = site.longestGapSince(fromMs)
    await starting
    await site.whole()
    const notes = `seconds since both were started again; ${without.toFixed(1)} without writes in all. Reads: at the third machine`
    return site.conclude({ fromMs, toMs }, { secondsToRecovery, notes })
  },
}
