import { faultOfBalances, faultOfOrder, faultOfSums, faultOfSwap } from './entry-checks.ts'
import { faultOfPattern, userOf } from './entry-patterns.ts'
import { ExitAdvances } from './exit-advances.ts'
import { type EntryFields, Fault } from './ledger-lines.ts'
import { LoanOrders } from './loan-orders.ts'
import { FREE_PLACES } from './open-exits.ts'

export const NO_HASH = `0x${'00'.repeat(32)}`

/** Base units of one asset that the ledger owes, by rank, as a header states them. */
export interface Totals {
  users: bigint
  lending: bigint
  payouts: bigint
  house: bigint
  locked: bigint
}

/** The balances after some entries. Every entry is checked before it counts. */
export class Books {
  seq = 0n
  /** Of the last entry, in hex with 0x. */
  hash = NO_HASH
  readonly #operator: string
  /** By account and asset. */
  readonly #balances = new Map<string, bigint>()
  readonly #totals = new Map<string, Totals>()
  readonly #loans = new LoanOrders()
  readonly #advances = new ExitAdvances()
  /** Owner and asset of each leaf that entries have touched. */
  #touched = new Map<string, readonly [owner: string, asset: string]>()

  /** @param operator the operator's payout address, in lower case. It has no leaf. */
  constructor(operator: string) {
    this.#operator = operator
  }

  /** Checks an entry and adds its postings. @throws Fault that names the entry; nothing is added then. */
  add(entry: EntryFields, hash: string): void {
    const balanceOf = (account: string, asset: string) => this.balance(account, asset)
    const fault =
      faultOfOrder(this, entry, hash) ??
      faultOfSums(entry) ??
      faultOfPattern(entry, this.#operator) ??
      faultOfBalances(entry, balanceOf) ??
      faultOfSwap(entry, balanceOf) ??
      this.#loans.take(entry, balanceOf) ??
      this.#advances.take(entry)
    if (fault !== undefined) throw new Fault(fault)
    for (const [account, asset, text] of entry[4]) this.#post(account, asset, BigInt(text))
    this.seq += 1n
    this.hash = hash
  }

  balance(account: string, asset: string): bigint {
    return this.#balances.get(`${account} ${asset}`) ?? 0n
  }

  /** Returns what the account can use or has locked: the sum of its leaf. */
  free(owner: string, asset: string): bigint {
    return FREE_PLACES.reduce((sum, place) => sum + this.balance(`user:${owner}:${place}`, asset), 0n)
  }

  totalsOf(asset: string): Readonly<Totals> {
    return this.#totals.get(asset) ?? { users: 0n, lending: 0n, payouts: 0n, house: 0n, locked: 0n }
  }

  /** Returns the leaves that entries have touched since the last call. */
  takeTouched(): (readonly [owner: string, asset: string])[] {
    const touched = [...this.#touched.values()]
    this.#touched = new Map()
    return touched
  }

  #post(account: string, asset: string, units: bigint): void {
    this.#balances.set(`${account} ${asset}`, this.balance(account, asset) + units)
    const user = userOf(account)
    if (user && user.owner !== this.#operator) this.#touched.set(`${user.owner} ${asset}`, [user.owner, asset])
    if (account === 'vault') return
    const totals = { ...this.totalsOf(asset) }
    totals[this.#rankOf(account)] += units
    if (user?.place === 'locked') totals.locked += units
    this.#totals.set(asset, totals)
  }

  #rankOf(account: string): Exclude<keyof Totals, 'locked'> {
    const user = userOf(account)
    if (!user) return account.startsWith('lending:') && account.endsWith(':cash') ? 'lending' : 'house'
    if (user.owner === this.#operator) return user.place === 'locked' ? 'payouts' : 'house'
    return user.place === 'collateral' ? 'lending' : 'users'
  }
}
