import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Ends } from '@clearwell/sim/src/drills/drill.ts'
import { fill, mountDisk } from '@clearwell/sim/src/drills/small-disk.ts'
import type { LocalMachine } from '../machine.ts'
import type { User } from '../program.ts'
import type { ClusterDrill } from './cluster-drill.ts'
import { openClusterSite } from './cluster-site.ts'

/** Gives up where the full disk stops nothing. */
const STOPPED_MS = 120_000

export const drill: ClusterDrill = {
  about: 'the disk of the primary is full under load (a small one in memory), and has room again later',
  async run(ends) {
    const site = await openClusterSite(ends, {
      // The first machine leads at the start.
      beforeStart: async (machines, user) => void (await mountFor(machines[0], user, ends)),
    })
    const primary = await site.primary()
    const ballast = join(primary.folder, 'disk/ballast')
    const fromMs = performance.now()
    while ((await site.cluster.primary()) === primary) {
      if (performance.now() - fromMs > STOPPED_MS) throw new Error('the full disk replaced no primary')
      await fill(ballast)
      await wait(200)
    }
    await site.acknowledge()
    const toMs = performance.now()
    const secondsToRecovery = site.longestGapSince(fromMs)
    await rm(ballast)
    const back = await site.whole()
    await site.acknowledge()
    const notes = `PostgreSQL ends with its full disk, and a standby takes over; the machine is a standby ${back.toFixed(0)} s after it has room`
    return site.conclude({ fromMs, toMs }, { secondsToRecovery, notes })
  },
}

async function mountFor(machine: LocalMachine | undefined, user: User | undefined, ends: Ends): Promise<void> {
  if (!machine) throw new Error('a cluster has machines')
  await mountDisk({ folder: join(machine.folder, 'disk'), size: '400m', owner: user }, ends)
}
