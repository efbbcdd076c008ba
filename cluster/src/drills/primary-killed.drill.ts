import type { ClusterDrill } from './cluster-drill.ts'
import { openClusterSite, startMachine } from './cluster-site.ts'

export const drill: ClusterDrill = {
  about: 'every process on the machine of the primary is killed, and started again later',
  async run(ends) {
    const site = await openClusterSite(ends)
    const primary = await site.primary()
    const fromMs = performance.now()
    await primary.kill()
    await site.acknowledge()
    const toMs = performance.now()
    const secondsToRecovery = site.longestGapSince(fromMs)
    await startMachine(primary)
    const back = await site.whole()
    await site.acknowledge()
    const notes = `the lease of Patroni runs out; the machine is a standby again ${back.toFixed(0)} s after its start`
    return site.conclude({ fromMs, toMs }, { secondsToRecovery, notes })
  },
}
