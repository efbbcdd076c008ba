import type { ClusterDrill } from './cluster-drill.ts'
import { openClusterSite } from './cluster-site.ts'

export const drill: ClusterDrill = {
  about: 'the server that writes hangs (SIGSTOP), and goes on later (SIGCONT)',
  async run(ends) {
    const site = await openClusterSite(ends)
    const writer = await site.writer()
    const fromMs = performance.now()
    await writer.signal('SIGSTOP', ['server'])
    await site.acknowledge()
    const toMs = performance.now()
    const secondsToRecovery = site.longestGapSince(fromMs)
    await writer.signal('SIGCONT', ['server'])
    await site.acknowledge()
    const notes = 'the lease of the writer runs out, and another server writes'
    return site.conclude({ fromMs, toMs }, { secondsToRecovery, notes })
  },
}
