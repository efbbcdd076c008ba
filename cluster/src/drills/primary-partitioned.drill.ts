import { CannotRun } from '@clearwell/sim/src/drills/drill.ts'
import { whyNoNamespaces } from '../local-network.ts'
import type { ClusterDrill } from './cluster-drill.ts'
import { openClusterSite } from './cluster-site.ts'

export const drill: ClusterDrill = {
  about: 'nothing passes between the machine of the primary and the others (network namespaces); later it passes again',
  async run(ends) {
    const problem = await whyNoNamespaces()
    if (problem !== undefined) throw new CannotRun(problem)
    const site = await openClusterSite(ends, { canBeCut: true })
    const primary = await site.primary()
    const fromMs = performance.now()
    await site.cluster.network.cut(primary.machine)
    await site.acknowledge()
    const toMs = performance.now()
    const secondsToRecovery = site.longestGapSince(fromMs)
    await site.cluster.network.heal(primary.machine)
    const back = await site.whole()
    await site.acknowledge()
    const notes = `the lease of Patroni runs out; the machine is a standby again ${back.toFixed(0)} s after the repair`
    return site.conclude({ fromMs, toMs }, { secondsToRecovery, notes })
  },
}
