import type { Drill } from './drill.ts'
import { openSite } from './site.ts'
import { startSwapLoad } from './swap-load.ts'

export const drill: Drill = {
  about: 'the leader hangs (SIGSTOP) under load, another server takes over, and the hung one goes on (SIGCONT)',
  isQuick: true,
  async run(ends) {
    const site = await openSite(ends)
    const leader = await site.startServer('leader')
    const follower = await site.startServer('follower')
    const load = startSwapLoad({ urls: () => [leader.url, follower.url], tokens: site.tokens })
    await load.acknowledge(100, 30_000)
    leader.signal('SIGSTOP')
    const hungMs = performance.now()
    await load.acknowledge(100, 60_000)
    leader.signal('SIGCONT')
    await load.acknowledge(100, 30_000)
    const secondsToRecovery = load.longestGapSince(hungMs)
    return { ...(await site.conclude(load)), secondsToRecovery, notes: 'two servers; the lease runs out' }
  },
}
