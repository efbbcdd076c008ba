import { TooManyRequests } from './too-many-requests.ts'

/** A rejected client asks again after this time. Other files end meanwhile. */
const RETRY_MS = 10_000

/** Counts the files that are being sent, and rejects those beyond the limits of an address and of all. */
export class OpenFiles {
  readonly #limits: { readonly perAddress: number; readonly inAll: number }
  readonly #counts = new Map<string, number>()
  #count = 0

  constructor(limits: { readonly perAddress: number; readonly inAll: number }) {
    this.#limits = limits
  }

  /**
   * Counts one more file. @returns the function that releases it; a second call does nothing.
   *
   * @throws TooManyRequests where the address, or the server, sends enough already.
   */
  acquire(address: string): () => void {
    const own = this.#counts.get(address) ?? 0
    if (own >= this.#limits.perAddress) throw new TooManyRequests({ reason: 'files_of_address', waitMs: RETRY_MS })
    if (this.#count >= this.#limits.inAll) throw new TooManyRequests({ reason: 'files', waitMs: RETRY_MS })
    this.#add(address, 1)
    let isReleased = false
    return () => {
      if (!isReleased) this.#add(address, -1)
      isReleased = true
    }
  }

  #add(address: string, change: 1 | -1): void {
    this.#count += change
    const count = (this.#counts.get(address) ?? 0) + change
    if (count === 0) this.#counts.delete(address)
    else this.#counts.set(address, count)
  }
}
