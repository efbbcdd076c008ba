import type { Drill } from './drill.ts'
import { openSite, withDatabase } from './site.ts'
import { startSwapLoad } from './swap-load.ts'

/** Fewer than one server keeps open. */
const LIMIT = 8
const OUTAGE_MS = 20_000

export const drill: Drill = {
  about: 'two servers share 8 connections for 20 seconds, after all of theirs were closed; then the limit is lifted',
  isQuick: false,
  async run(ends) {
    const site = await openSite(ends)
    const first = await site.startServer('first')
    const second = await site.startServer('second')
    const load = startSwapLoad({ urls: () => [first.url, second.url], tokens: site.tokens })
    await load.acknowledge(100, 30_000)
    await withDatabase(site.adminUrl, async (db) => {
      await db.query(`alter role servers connection limit ${LIMIT}`)
      await db.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'servers'")
    })
    const before = load.count
    await new Promise((resolve) => setTimeout(resolve, OUTAGE_MS))
    const during = load.count - before
    await withDatabase(site.adminUrl, (db) => db.query('alter role servers connection limit -1'))
    const liftedMs = performance.now()
    await load.acknowledge(100, 60_000)
    const secondsToRecovery = load.longestGapSince(liftedMs)
    const notes = `seconds since the limit was lifted; ${during} acknowledged while it was in force`
    return { ...(await site.conclude(load)), secondsToRecovery, notes }
  },
}
