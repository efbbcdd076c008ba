import { startCuttableProxy } from './cuttable-proxy.ts'
import type { Drill } from './drill.ts'
import { openSite } from './site.ts'
import { startSwapLoad } from './swap-load.ts'

export const drill: Drill = {
  about: 'nothing passes between the leader and the database, and no connection is closed; later it passes again',
  isQuick: true,
  async run(ends) {
    const site = await openSite(ends)
    const url = new URL(site.databaseUrl)
    const cable = await startCuttableProxy(Number(url.port), ends)
    url.port = String(cable.port)
    const leader = await site.startServer('leader', { DATABASE_URL: url.href })
    const follower = await site.startServer('follower')
    const load = startSwapLoad({ urls: () => [leader.url, follower.url], tokens: site.tokens })
    await load.acknowledge(100, 30_000)
    cable.hang()
    const cutMs = performance.now()
    await load.acknowledge(100, 60_000)
    cable.heal()
    await load.acknowledge(100, 60_000)
    const secondsToRecovery = load.longestGapSince(cutMs)
    return { ...(await site.conclude(load)), secondsToRecovery, notes: 'two servers; only the leader is cut off' }
  },
}
