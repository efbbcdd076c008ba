import type { Config } from './load-config.ts'
import type { Composition } from './platform/compose-features.ts'
import type { SpotSource } from './platform/market-data/spot-source.ts'
import type { OpenPlatform } from './platform/open-platform.ts'
import { createReadiness, type Readiness } from './platform/readiness.ts'

/** The parts of this server, and those that all servers share: `GET /readyz` names the ones that do not work. */
export function readinessOf(
  { config, db, readsPart, client, gate, isChainRunning, watcher, writer, spot }: OpenPlatform<Config>,
  composition: Composition,
  { isDraining, isListed }: { readonly isDraining: () => boolean; readonly isListed: () => boolean },
): Readiness {
  return createReadiness([
    { name: 'server', isOk: () => !isDraining() },
    // With a replica, a server without the primary still serves reads.
    { name: 'database', probe: () => db.query('select 1'), ...(readsPart ? { isShared: true } : {}) },
    ...(readsPart ? [readsPart] : []),
    {
      name: 'chain',
      isShared: true,
      isOk: () => isChainRunning() && gate.isOpen,
      probe: () => client.getChainId(),
      patienceMs: config.chain.nodeAwayMs,
    },
    { name: 'watcher', isOk: () => watcher.halted === undefined },
    { name: 'market', isShared: true, isOk: () => hasAllPrices(spot.source) },
    // A server that does not write forwards commands, once the others can find it.
    { name: 'ledger', isOk: () => !writer.isFailing && (writer.isWriting || isListed()) },
    { name: 'features', isOk: () => composition.fault() === undefined },
    ...composition.services,
  ])
}

/** Returns whether two sources agree on each price that money can use. */
function hasAllPrices({ symbols, quote }: SpotSource): boolean {
  return [...symbols].every((symbol) => ['fresh', 'apart'].includes(quote(symbol)?.state ?? 'unknown'))
}
