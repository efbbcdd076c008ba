import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startPostgres, type ThrowawayPostgres } from '../../../scripts/postgres.ts'
import { startCuttableProxy } from './cuttable-proxy.ts'
import type { Drill, Ends } from './drill.ts'
import { openSite, type Site, withDatabase } from './site.ts'
import { startSwapLoad } from './swap-load.ts'

const run = promisify(execFile)
const CANCELS = 20
const PAUSE_MS = 200

/** A standby that replicates over the given port of the primary. */
async function startStandby({ postgres, folder }: Site, port: number, ends: Ends): Promise<ThrowawayPostgres> {
  const source = new URL(postgres.url)
  source.port = String(port)
  const data = join(folder, 'standby')
  const from = `${source.href}?application_name=standby1`
  await run(join(postgres.binaries, 'pg_basebackup'), ['-d', from, '-D', data, '-R', '-c', 'fast'])
  const standby = await startPostgres({ fsync: false, copyOf: { data, password: source.password } })
  ends.push(standby.stop)
  return standby
}

/** Cancels commits that wait for the standby, as an impatient operator does. @returns how many were cancelled. */
async function cancelWaits(adminUrl: string): Promise<number> {
  return withDatabase(adminUrl, async (db) => {
    let cancelled = 0
    for (let turn = 0; turn < CANCELS; turn++) {
      const rows = await db.query("select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'")
      cancelled += rows.length
      await wait(PAUSE_MS)
    }
    return cancelled
  })
}

export const drill: Drill = {
  about: 'the synchronous standby is cut off, commits that wait for it are cancelled, and it is promoted',
  isQuick: false,
  async run(ends) {
    const site = await openSite(ends, { settings: { synchronous_commit: 'on' } })
    const port = Number(new URL(site.postgres.url).port)
    const replication = await startCuttableProxy(port, ends)
    const entrance = await startCuttableProxy(port, ends)
    const standby = await startStandby(site, replication.port, ends)
    await withDatabase(site.adminUrl, async (db) => {
      await db.script("alter system set synchronous_standby_names = 'standby1'")
      await db.query('select pg_reload_conf()')
    })
    const url = new URL(site.databaseUrl)
    url.port = String(entrance.port)
    const first = await site.startServer('first', { DATABASE_URL: url.href })
    const second = await site.startServer('second', { DATABASE_URL: url.href })
    const load = startSwapLoad({ urls: () => [first.url, second.url], tokens: site.tokens })
    await load.acknowledge(100, 30_000)
    replication.hang()
    const before = load.count
    const cancelled = await cancelWaits(site.adminUrl)
    if (cancelled === 0) throw new Error('no commit waited for the standby')
    const during = load.count - before
    entrance.hang()
    const promoted = new URL(standby.url)
    await withDatabase(standby.url, (db) => db.query('select pg_promote()'))
    const promotedMs = performance.now()
    entrance.heal(Number(promoted.port))
    await load.acknowledge(100, 90_000)
    const secondsToRecovery = load.longestGapSince(promotedMs)
    promoted.pathname = '/ledger'
    const notes = `seconds since the promotion; ${cancelled} waits cancelled, ${during} acknowledged after the standby was cut off`
    return { ...(await site.conclude(load, promoted.href)), secondsToRecovery, notes }
  },
}
