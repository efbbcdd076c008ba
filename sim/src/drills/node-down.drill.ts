import type { Drill } from './drill.ts'
import { openSite } from './site.ts'
import { startSwapLoad } from './swap-load.ts'

export const drill: Drill = {
  about: 'the node of the chain ends under load, a server starts without it and takes over, and the node comes back',
  isQuick: false,
  async run(ends) {
    const site = await openSite(ends)
    const first = await site.startServer('first')
    let urls = [first.url]
    const load = startSwapLoad({ urls: () => urls, tokens: site.tokens })
    await load.acknowledge(100, 30_000)
    await site.chain.stop()
    const downMs = performance.now()
    await load.acknowledge(100, 60_000)
    const second = await site.startServer('second')
    urls = [first.url, second.url]
    await first.kill()
    urls = [second.url]
    await load.acknowledge(100, 60_000)
    await site.restartChain()
    await load.acknowledge(100, 60_000)
    const secondsToRecovery = load.longestGapSince(downMs)
    return { ...(await site.conclude(load)), secondsToRecovery, notes: 'with the takeover after kill -9 of the first server' }
  },
}
