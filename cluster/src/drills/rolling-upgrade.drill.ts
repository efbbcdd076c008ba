import type { LocalMachine } from '../machine.ts'
import type { ClusterDrill } from './cluster-drill.ts'
import { type ClusterSite, openClusterSite, startMachine } from './cluster-site.ts'

/** Stops every program of a machine in order, and starts it again. */
async function restart(machine: LocalMachine): Promise<void> {
  for (const name of ['server', 'haproxy', 'patroni', 'etcd'] as const) await machine.stop(name)
  await startMachine(machine)
}

/** Moves the primary to another machine, as `patronictl switchover` does. */
async function switchOver({ cluster }: ClusterSite, from: LocalMachine, to: LocalMachine | undefined): Promise<void> {
  const url = `http://${from.machine.address}:${cluster.layout.ports.patroni}/switchover`
  const body = JSON.stringify({ leader: from.machine.name, candidate: to?.machine.name })
  const response = await fetch(url, { method: 'POST', body })
  if (!response.ok) throw new Error(`Patroni refused to move the primary: ${await response.text()}`)
}

export const drill: ClusterDrill = {
  about:
    'each machine is stopped and started again in turn, as for an upgrade; before its turn, the primary is moved away',
  async run(ends) {
    const site = await openClusterSite(ends)
    const fromMs = performance.now()
    const primary = await site.primary()
    for (const standby of await site.standbys()) {
      await restart(standby)
      await site.whole()
      await site.acknowledge()
    }
    const [candidate] = await site.standbys()
    const movedMs = performance.now()
    await switchOver(site, primary, candidate)
    await site.whole()
    await site.acknowledge()
    const moveS = site.longestGapSince(movedMs)
    await restart(primary)
    await site.whole()
    await site.acknowledge()
    const toMs = performance.now()
    const secondsToRecovery = site.longestGapSince(fromMs)
    const notes = `the same version is started again; moving the primary took ${moveS.toFixed(1)} s without writes`
    return site.conclude({ fromMs, toMs }, { secondsToRecovery, notes })
  },
}
