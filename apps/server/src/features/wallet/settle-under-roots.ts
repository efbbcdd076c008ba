import type { HeaderMaking } from '../../domain/proofs/signed-roots.ts'
import type { LocalChain } from '../../platform/chain/local-chain.ts'
import type { Report } from '../../platform/log/report.ts'
import { type Repeated, repeat } from '../../platform/time/repeat.ts'
import { resumeWithdrawals, type SettleDependencies } from './settle-withdrawal.ts'

/** How often waiting orders are looked at without a new header, in milliseconds. */
const EVERY_MS = 10_000
/** The shortest time between two looks, in milliseconds. */
const GAP_MS = 50

/** Signs the orders that wait for a root, on the leader. */
export interface RootSettling extends Pick<Repeated, 'start' | 'stop' | 'now'> {
  /** Has the next header made soon. */
  hurry(): void
}

/**
 * Settles waiting orders after each header that both keys have signed, and has the next header made soon while orders wait.
 */
export function settleUnderRoots(
  deps: SettleDependencies & {
    readonly headers: () => HeaderMaking
    /** A local chain, which makes no block unless it is asked to: a header needs a recent one. */
    readonly local: Pick<LocalChain, 'moveTo'> | undefined
    readonly onError: Report
  },
): RootSettling {
  const { store, writer, clock, headers, local, onError } = deps
  function hurry(): void {
    headers().hurry()
    local?.moveTo(clock.now()).catch((error: unknown) => onError(error, 'local chain'))
  }
  const timer = repeat({
    everyMs: EVERY_MS,
    gapMs: GAP_MS,
    async run() {
      if (!writer.isWriting || (await store.lockedWithdrawals(1)).length === 0) return
      await resumeWithdrawals(deps, onError)
      if ((await store.lockedWithdrawals(1)).length > 0) headers().hurry()
    },
    onError: (error) => onError(error, 'vouchers under roots'),
  })
  return {
    start() {
      headers().onSigned(timer.wake)
      timer.start()
    },
    stop: timer.stop,
    now: timer.now,
    hurry,
  }
}
