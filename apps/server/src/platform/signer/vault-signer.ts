import { setTimeout as wait } from 'node:timers/promises'
import type { Chain } from '../chain/chain.ts'
import type { Clock } from '../time/clock.ts'

/** How long a reading is used. */
const MAX_AGE_MS = 5_000
/** How long a caller waits for a node. After that it gets the reading before. */
const PATIENCE_MS = 1_000

/** The account whose signatures the vault accepts, for lists that must stay quick while the node is not. */
interface VaultSigner {
  /** Returns the last known account; `undefined` if none was read yet. */
  read(): Promise<string | undefined>
  /** Takes over a reading that was made for another reason. */
  set(signer: string): void
}

export function createVaultSigner({
  chain,
  clock,
}: {
  readonly chain: Pick<Chain, 'vaultState'>
  readonly clock: Clock
}): VaultSigner {
  let known: string | undefined
  let triedAtMs = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  function set(signer: string): void {
    known = signer
    triedAtMs = clock.now().getTime()
  }

  async function readChain(): Promise<void> {
    try {
      set((await chain.vaultState()).signer)
    } catch {
      // The check before each signature reports a node that cannot be read.
      triedAtMs = clock.now().getTime()
    } finally {
      reading = undefined
    }
  }

  return {
    set,
    async read() {
      // The clock may also have been moved back.
      if (Math.abs(clock.now().getTime() - triedAtMs) >= MAX_AGE_MS) {
        reading ??= readChain()
        await Promise.race([reading, wait(PATIENCE_MS, undefined, { ref: false })])
      }
      return known
    },
  }
}
