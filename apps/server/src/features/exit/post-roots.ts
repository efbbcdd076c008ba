import { privateKeyToAccount } from 'viem/accounts'
import { findNewestRoot, readBoxDayUpTo } from '../../domain/proofs/signed-roots.ts'
import { readNewestRoot } from '../../platform/chain/exit-vault.ts'
import { createPostingChain } from '../../platform/chain/exit-vault-post.ts'
import { type Drain, defineDrain } from '../../platform/jobs/drain.ts'
import type { Recorder } from '../../platform/metrics/metrics.ts'
import type { Platform } from '../../platform/platform.ts'
import { exitEvents } from './exit.events.ts'
import type { exitMetrics } from './exit.metrics.ts'
import { createInFlightStore } from './in-flight.store.ts'
import { createPoster, type Poster, type PostStep } from './poster.ts'
import { type RootWatch, watchRoots } from './watch-roots.ts'

/** A day of boxes is on the chain within ten minutes: what is due waits this long at most. */
const EVERY_MS = 15_000

type Dependencies = Pick<
  Platform,
  'config' | 'db' | 'writer' | 'clock' | 'client' | 'custody' | 'metrics' | 'log' | 'onError'
>

/** Keeps a young root on the vault. */
export interface RootPosting {
  /** The work of the leader, with its metrics and alarms. */
  readonly drain: Drain
  /** Does what is due now; `undefined` without the key of the poster. */
  readonly post: () => Promise<PostStep | undefined>
}

export function postRoots(deps: Dependencies, recorder: Recorder<typeof exitMetrics>): RootPosting {
  const { client, clock, custody, onError } = deps
  const roots = watchRoots({ newestRoot: () => readNewestRoot(client, custody.vault), clock, onError })
  const poster = openPoster(deps, roots)
  showMetrics(deps, recorder, { roots, poster })
  let running: Promise<unknown> = Promise.resolve()
  // One step at a time: each signs with the next nonce.
  function post(): Promise<PostStep | undefined> {
    const next = running.then(() => poster?.step())
    running = next.catch(() => {})
    return next
  }
  const drain = defineDrain({
    name: 'exit.post-roots',
    everyMs: EVERY_MS,
    async drain() {
      await roots.look()
      await post()
      roots.noteGas(poster?.gasHours)
    },
  })
  return { drain, post }
}

/** Returns nothing without the key. */
function openPoster({ config, db, clock, client, custody, log }: Dependencies, roots: RootWatch): Poster | undefined {
  const logEvent = log.events(exitEvents)
  const { posterKey } = config.env
  if (!posterKey) {
    logEvent('poster_missing', {})
    return undefined
  }
  const [chainId, account] = [config.chain.id, privateKeyToAccount(posterKey)]
  return createPoster({
    chain: createPostingChain({ client, chainId, vault: custody.vault, account }),
    store: createInFlightStore(db, chainId),
    clock,
    newestSigned: () => findNewestRoot(db),
    boxDayUpTo: (number) => readBoxDayUpTo(db, number),
    onMined: ({ number, hash, isSuccess }) =>
      logEvent(isSuccess ? 'root_posted' : 'root_post_failed', { number: `${number}`, tx_hash: hash }),
    onTrouble: roots.note,
  })
}

function showMetrics(
  { metrics, writer }: Dependencies,
  recorder: Recorder<typeof exitMetrics>,
  { roots, poster }: { readonly roots: RootWatch; readonly poster: Poster | undefined },
): void {
  const gauge = (value: number | undefined) => (value === undefined ? [] : [{ labels: {}, value }])
  metrics.onCollect(() => {
    const isLeader = writer.isWriting
    recorder.set('clearwell_root_age_seconds', gauge(isLeader ? roots.ageSeconds : undefined))
    recorder.set('clearwell_poster_configured', gauge(isLeader ? Number(poster !== undefined) : undefined))
    recorder.set('clearwell_poster_gas_hours', gauge(isLeader ? poster?.gasHours : undefined))
  })
}
