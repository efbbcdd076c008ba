import { withDatabase } from '@clearwell/sim/src/drills/site.ts'
import { until } from '../program.ts'
import type { ClusterDrill } from './cluster-drill.ts'
import { type ClusterSite, openClusterSite, startMachine } from './cluster-site.ts'

const ALARM_MS = 120_000

/** Changes settings of Patroni, as `patronictl edit-config` does. */
async function editConfig(site: ClusterSite, change: object): Promise<void> {
  const { machine } = await site.primary()
  const url = `http://${machine.address}:${site.cluster.layout.ports.patroni}/config`
  const { ok, status } = await fetch(url, { method: 'PATCH', body: JSON.stringify(change) })
  if (!ok) throw new Error(`Patroni refused a change of its settings with ${status}`)
}

async function hasAlarm({ cluster }: ClusterSite): Promise<boolean> {
  const rows = await withDatabase(await cluster.adminUrl(), (db) =>
    db.query("select 1 from alarms where kind = 'asynchronous_standby'"),
  )
  return rows.length > 0
}

export const drill: ClusterDrill = {
  about: 'synchronous replication is turned off by mistake and on again; then the machine of the primary is killed',
  async run(ends) {
    const site = await openClusterSite(ends)
    if (await hasAlarm(site)) throw new Error('the alarm was raised before the mistake')
    const mistakeMs = performance.now()
    await editConfig(site, { synchronous_mode: false, synchronous_mode_strict: false })
    await until('the alarm', () => hasAlarm(site), { withinMs: ALARM_MS, everyMs: 1_000 })
    const alarmS = (performance.now() - mistakeMs) / 1_000
    await editConfig(site, { synchronous_mode: true, synchronous_mode_strict: true })
    await site.whole()
    await site.acknowledge()
    const primary = await site.primary()
    const fromMs = performance.now()
    await primary.kill()
    await site.acknowledge()
    const toMs = performance.now()
    const secondsToRecovery = site.longestGapSince(fromMs)
    await startMachine(primary)
    await site.whole()
    const notes = `the alarm asynchronous_standby came ${alarmS.toFixed(0)} s after the mistake; a failover before its repair can lose commands`
    return site.conclude({ fromMs, toMs }, { secondsToRecovery, notes })
  },
}
