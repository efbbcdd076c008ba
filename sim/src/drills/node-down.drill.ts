import type { Drill } from './drill.ts'
import { openSite } from './site.ts'
import { startSwapLoad } from './swap-load.ts'

export const drill: Drill = {
  about: 'the node of the chain ends under load, another server takes over without it, and the node comes back',
  isQuick: false,
  async run(ends) {
    const site = await openSite(ends)
    const first = await site.startServer('first')
    const second = await site.startServer('second')
    let urls = [first.url, second.url]
    const load = startSwapLoad({ urls: () => urls, tokens: site.tokens })
    await load.acknowledge(100, 30_000)
    await site.chain.stop()
    const downMs = performance.now()
    await load.acknowledge(100, 60_000)
    const untilKill = load.longestGapSince(downMs)
    await first.kill()
    urls = [second.url]
    await load.acknowledge(100, 60_000)
    await site.restartChain()
    await load.acknowledge(100, 60_000)
    const secondsToRecovery = load.longestGapSince(downMs)
    const notes = `${untilKill.toFixed(1)} seconds without the node alone, the rest is the takeover after kill -9 of the leader`
    return { ...(await site.conclude(load)), secondsToRecovery, notes }
  },
}
