import { userOf } from './entry-patterns.ts'
import type { EntryFields } from './ledger-lines.ts'

/** A payment to the vault or by it, as the bookkeeper's own node reports it. */
export interface VaultEvent {
  /** `transfer` is a plain transfer of a token to the vault, which the vault's counters do not have. */
  readonly kind: 'deposited' | 'withdrawn' | 'exited' | 'transfer'
  readonly tx: string
  /** In lower case. */
  readonly account: string
  readonly asset: string
  /** Base units of the ledger, as decimal text. */
  readonly units: string
  /** The vault that received or paid it, in lower case, if the ledger has left that vault. Its counters are not the new vault's. */
  readonly replaced?: string
}

/** Base units that the vault has received and paid. */
export interface Counters {
  deposited: bigint
  /** By vouchers. */
  paid: bigint
  /** To accounts that left. A leaf has them together with `paid`. */
  exited: bigint
}

const NONE = { deposited: 0n, paid: 0n, exited: 0n } as const satisfies Counters
/** The counter of each event that the vault counts. */
const COUNTER_OF = { deposited: 'deposited', withdrawn: 'paid', exited: 'exited' } as const

/** Kinds of entries that book a payment to the vault, and those that book one by it. Their reference is the transaction. */
const INCOMING = ['deposit', 'operator_deposit', 'deposit_reversal', 'reversal_shortfall']
const OUTGOING = ['withdrawal', 'exit', 'withdrawal_reversal', 'exit_reversal', 'payout_settlement', 'payout_shortfall']
/** Entries that name the account of the payment. The other kinds correct such an entry. */
const NAMING = ['deposit', 'operator_deposit', 'withdrawal', 'exit']

/** A transaction's payments in one asset and direction: those of the chain less those of the ledger. */
interface Difference {
  units: bigint
  /** Units that a vault received which the ledger has left: they are booked once the operator has moved them. */
  late: bigint
  readonly paid: Set<string>
  readonly booked: Map<string, string>
}

/** Compares the entries that book payments with the vault's events, and sums the events as the vault counts them. */
export class Payments {
  readonly #operator: string
  readonly #open = new Map<string, Difference>()
  readonly #counters = new Map<string, Counters>()
  /** Owner and asset of each leaf whose counters have changed. */
  #touched = new Map<string, readonly [owner: string, asset: string]>()

  /** @param operator the operator's payout address, in lower case. */
  constructor(operator: string) {
    this.#operator = operator
  }

  /** Takes an event of a final block. */
  addEvent({ kind, tx, account, asset, units: text, replaced }: VaultEvent): void {
    const units = BigInt(text)
    const isOutgoing = kind === 'withdrawn' || kind === 'exited'
    const difference = this.#differenceOf(isOutgoing ? 'out' : 'in', tx, asset)
    difference.units += units
    difference.paid.add(account)
    if (replaced !== undefined && !isOutgoing) difference.late += units
    if (kind === 'transfer' || replaced !== undefined) return
    for (const id of [account, ALL]) {
      const counters = this.#counters.get(`${id} ${asset}`) ?? { ...NONE }
      counters[COUNTER_OF[kind]] += units
      this.#counters.set(`${id} ${asset}`, counters)
    }
    this.#touched.set(`${account} ${asset}`, [account, asset])
  }

  /** Takes an entry of the ledger. Most are no payment. */
  addEntry([seq, kind, , reference, postings]: EntryFields): void {
    const isIncoming = INCOMING.includes(kind)
    if (!isIncoming && !OUTGOING.includes(kind)) return
    for (const [account, asset, text] of postings) {
      if (account !== 'vault') continue
      const difference = this.#differenceOf(isIncoming ? 'in' : 'out', reference, asset)
      // The vault's account loses what comes in and gains what goes out.
      difference.units += isIncoming ? BigInt(text) : -BigInt(text)
      const owner = postings.map(([each]) => userOf(each)?.owner).find((each) => each !== undefined)
      if (NAMING.includes(kind)) difference.booked.set(owner ?? this.#operator, seq)
    }
  }

  /**
   * Finds a payment that only the chain or only the ledger has, or that is booked for another account. Forgets those that agree.
   *
   * @returns the fault, or `undefined` if every payment up to the cursor is booked and no other.
   */
  findFault(): string | undefined {
    let fault: string | undefined
    for (const [key, { units, late, paid, booked }] of this.#open) {
      const [direction, tx, asset] = key.split(' ')
      const what = `${direction === 'in' ? 'to' : 'by'} the vault in ${tx}`
      // A payment that was taken back is on no chain, and its entries sum to zero.
      const other = paid.size === 0 ? undefined : [...booked].find(([account]) => !paid.has(account))
      if (units > late) fault ??= `the ledger lacks ${units} base units of ${asset} paid ${what}`
      else if (units < 0n) fault ??= `the chain lacks ${-units} base units of ${asset} paid ${what}`
      else if (other) fault ??= `entry ${other[1]} books a payment ${what} for another account`
      else if (units === 0n) this.#open.delete(key)
    }
    return fault
  }

  /** Returns the sums of an account's events in an asset, or of all accounts'. */
  countersOf(account: string | undefined, asset: string): Readonly<Counters> {
    return this.#counters.get(`${account ?? ALL} ${asset}`) ?? NONE
  }

  /** Returns the leaves whose counters have changed since the last call. */
  takeTouched(): (readonly [owner: string, asset: string])[] {
    const touched = [...this.#touched.values()]
    this.#touched = new Map()
    return touched
  }

  #differenceOf(direction: 'in' | 'out', tx: string, asset: string): Difference {
    const key = `${direction} ${tx} ${asset}`
    const difference = this.#open.get(key) ?? { units: 0n, late: 0n, paid: new Set(), booked: new Map() }
    this.#open.set(key, difference)
    return difference
  }
}

const ALL = '*'
