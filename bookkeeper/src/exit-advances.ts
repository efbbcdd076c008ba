import { userOf } from './entry-patterns.ts'
import type { EntryFields } from './ledger-lines.ts'

/** Accounts that insurance and treasury have advanced money for their exit. Only from them may an advance be taken back. */
export class ExitAdvances {
  readonly #advanced = new Set<string>()

  /** Takes an entry. @returns the fault of one that takes an advance back from an account that never got one */
  take([seq, kind, , , postings]: EntryFields): string | undefined {
    if (kind !== 'exit_advance' && kind !== 'exit_advance_return') return undefined
    const owners = postings.flatMap(([account]) => userOf(account)?.owner ?? [])
    if (kind === 'exit_advance') for (const owner of owners) this.#advanced.add(owner)
    const other = owners.find((owner) => !this.#advanced.has(owner))
    return other && `entry ${seq} (${kind}) takes back from ${other}, which got no advance`
  }
}
