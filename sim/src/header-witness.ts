import type { Queryable } from '@clearwell/ledger/database'
import { expect } from 'vitest'

/** A header as `POST /proof/header` of any server returns it. */
interface Shown {
  readonly number: string
  readonly hash: string
  readonly header: { readonly previous: string }
}

/** A client that remembers every header that servers have shown it. A server that shows another one under a known number has forked. */
export class HeaderWitness {
  readonly #hashes = new Map<string, string>()

  get count(): number {
    return this.#hashes.size
  }

  /** Asks a server for its newest header. A server that is killed does not respond. */
  async ask(url: string): Promise<Shown | undefined> {
    const body = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    const response = await fetch(`${url}/api/proof/header`, body).catch(() => undefined)
    const reply = (await response?.json().catch(() => undefined)) as { readonly data?: Shown } | undefined
    const shown = reply?.data?.hash ? reply.data : undefined
    if (shown) this.#see(shown.number, shown.hash)
    return shown
  }

  /** Expects one chain of headers in the ledger, with every header that was shown, each with its first hash. */
  async expectOneChain(db: Queryable): Promise<void> {
    const rows = await db.query<{ number: bigint; previous: string; hash: string }>(
      'select number, previous, hash from proof_headers order by number',
    )
    const fork = rows.findIndex(({ previous }, index) => index > 0 && previous !== rows[index - 1]?.hash)
    expect(rows[fork]).toBeUndefined()
    const stored = new Map(rows.map(({ number, hash }) => [`${number}`, hash]))
    expect(stored.size).toBe(rows.length)
    for (const [number, hash] of this.#hashes) expect([number, stored.get(number)]).toEqual([number, hash])
  }

  #see(number: string, hash: string): void {
    const known = this.#hashes.get(number) ?? hash
    expect([number, hash]).toEqual([number, known])
    this.#hashes.set(number, hash)
  }
}
