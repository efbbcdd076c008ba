import type { ClusterDrill } from './cluster-drill.ts'
import { openClusterSite, startMachine } from './cluster-site.ts'

export const drill: ClusterDrill = {
  about: 'every process on the machine of the synchronous standby is killed, and started again later',
  async run(ends) {
    const site = await openClusterSite(ends)
    const [standby] = await site.standbys()
    if (!standby) throw new Error('there is no standby')
    const fromMs = performance.now()
    await standby.kill()
    await site.acknowledge()
    const toMs = performance.now()
    const secondsToRecovery = site.longestGapSince(fromMs)
    await startMachine(standby)
    await site.whole()
    await site.acknowledge()
    const notes = 'commits wait until Patroni has made the other standby synchronous'
    return site.conclude({ fromMs, toMs }, { secondsToRecovery, notes })
  },
}
