import type { Drill } from './drill.ts'
import { conclude } from './site.ts'
import { openTestnetSite } from './testnet-site.ts'

const NOTICED_MS = 60_000

export const drill: Drill = {
  about: 'the node of the chain is down when both servers end under load and start again, and it comes back later',
  isQuick: false,
  async run(ends) {
    // The local profile deploys its contracts at a start, so it cannot start without the node.
    const site = await openTestnetSite(ends)
    const load = site.startLoad()
    await load.acknowledge(100, 30_000)
    await site.chain.stop()
    for (const server of site.servers) await server.kill()
    const endedMs = performance.now()
    await site.startServers()
    await load.acknowledge(100, 60_000)
    const secondsToRecovery = load.longestGapSince(endedMs)
    const { status, parts } = await readiness(site.urls)
    if (status !== 'degraded' || !parts?.includes('chain')) throw new Error(`a start without the node shows ${status}`)
    await site.chain.restart()
    const backMs = performance.now()
    while ((await readiness(site.urls)).parts?.includes('chain')) {
      if (performance.now() - backMs > NOTICED_MS) throw new Error('the servers did not notice that the node is back')
      await load.acknowledge(20, 60_000)
    }
    const noticedS = ((performance.now() - backMs) / 1_000).toFixed(1)
    const notes = `both servers stopped, so the start counts; degraded until ${noticedS} seconds after the node was back`
    return { ...(await conclude(load, site.postgres.url)), secondsToRecovery, notes }
  },
}

/** Asks the first server. */
async function readiness([url]: readonly string[]) {
  return (await (await fetch(`${url}/readyz`)).json()) as { readonly status: string; readonly parts?: string[] }
}
