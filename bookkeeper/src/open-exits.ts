import { userOf } from './entry-patterns.ts'
import type { EntryFields } from './ledger-lines.ts'

/** An act of an account about its exit, or one about roots, as the own node reports it. Times are seconds, blocks decimal text. */
export type ExitAct =
  | { readonly kind: 'requested'; readonly account: string; readonly at: number }
  | { readonly kind: 'cancelled'; readonly account: string }
  | { readonly kind: 'paid'; readonly account: string; readonly block: string }
  | {
      readonly kind: 'posted'
      readonly seq: number
      readonly number: string
      readonly hash: string
      readonly at: number
    }
  /** The owner has dropped these posts, both included. */
  | { readonly kind: 'dropped'; readonly from: number; readonly to: number }

/** An account's figures in a header. A new account has zeros: the vault takes them as well. */
export interface BaseLeaf {
  readonly free: bigint
  readonly depositedSeen: bigint
  readonly paidSeen: bigint
}

/** The leaves of an account in a posted header, by asset. */
export interface Base {
  readonly seq: number
  readonly cursorBlock: bigint
  readonly leaves: ReadonlyMap<string, BaseLeaf>
}

/** Reads an account's leaves in a header of the own ledger. `undefined`: the header is another one, or too old to be in memory. */
export type BaseOf = (
  post: { readonly seq: number; readonly number: string; readonly hash: string },
  account: string,
) => Base | undefined

interface OpenExit {
  /** The time of the request. */
  readonly at: number
  /** Entries before this time are not judged. Absent while the account has no leaf: the server may not know it yet. */
  judgedFrom: number | undefined
  base: Base | undefined
}

const DAY_S = 86_400
/** The base is the last root that was posted until then. */
const CUT_S = 6 * DAY_S
/** Until then an account that leaves may repay and add collateral. */
const FIRST_DAYS_S = 5 * DAY_S
const AT_FIRST = ['loan_repayment', 'collateral_added']
/** Takes back what the account got from insurance and treasury. What the vault will pay is compared apart. */
const ADVANCE_RETURN = 'exit_advance_return'
/** An account that is created after its request is asked about by the server, which may take this long. */
const NEW_ACCOUNT_S = 3_600
/** The places of a user's money that a leaf sums. */
export const FREE_PLACES: readonly string[] = ['available', 'locked', 'rt_deposit']

/** The exits that are open at the cursor of a header, with the root that each is paid under. */
export class OpenExits {
  readonly #open = new Map<string, OpenExit>()
  /** Accounts whose exit was open during all entries since the header before. */
  #held = new Map<string, OpenExit>()
  /** The block of the last payment of an exit, and the root that it was paid under. */
  readonly #paid = new Map<string, { readonly block: bigint; readonly base: Base | undefined }>()
  /** Posts that are not dropped, as far back as a drop can reach. */
  #posts: Extract<ExitAct, { kind: 'posted' }>[] = []

  /**
   * Takes the acts of the blocks from the cursor before up to this one, in the order of the chain.
   *
   * @param at.isKnown false: the acts up to this header's cursor are unknown, so its entries are not judged.
   * @param at.hasLeaf tells whether an account had a leaf in the header before.
   */
  take(
    acts: readonly ExitAct[],
    at: {
      readonly isKnown: boolean
      readonly cursorTime: number
      readonly hasLeaf: (account: string) => boolean
      readonly baseOf: BaseOf
    },
  ): void {
    for (const [account, exit] of this.#open)
      if (exit.judgedFrom === undefined && at.hasLeaf(account)) exit.judgedFrom = at.cursorTime + NEW_ACCOUNT_S
    this.#held = new Map(at.isKnown ? this.#open : [])
    for (const act of acts) this.#act(act, at)
  }

  /** Finds an entry that takes from an account which leaves. A payment by the vault is compared with the chain elsewhere. */
  faultOfEntry([seq, kind, at, , postings]: EntryFields): string | undefined {
    if (this.#held.size === 0 || kind === ADVANCE_RETURN) return undefined
    if (postings.some(([account]) => account === 'vault')) return undefined
    const sums = new Map<string, bigint>()
    for (const [account, asset, units] of postings) {
      const user = userOf(account)
      if (!user || !this.#held.has(user.owner) || !FREE_PLACES.includes(user.place)) continue
      const key = `${user.owner} ${asset}`
      sums.set(key, (sums.get(key) ?? 0n) + BigInt(units))
    }
    const timeS = Date.parse(at) / 1_000
    for (const [key, sum] of sums) {
      const [owner = '', asset] = key.split(' ')
      const { at: requestedAt, judgedFrom } = this.#held.get(owner) as OpenExit
      if (sum >= 0n || judgedFrom === undefined || timeS < judgedFrom) continue
      if (AT_FIRST.includes(kind) && timeS < requestedAt + FIRST_DAYS_S) continue
      return `entry ${seq} (${kind}) takes ${-sum} base units of ${asset} from ${owner}, which leaves`
    }
    return undefined
  }

  /**
   * Lists what the vault pays each account whose base is fixed: `free + (deposited − depositedSeen) − (paid − paidSeen)`.
   *
   * @param countersOf the vault's counters of an account as booked; `paid` with its exits.
   */
  claims(
    cursorTime: number,
    countersOf: (account: string, asset: string) => { readonly deposited: bigint; readonly paid: bigint },
  ): { readonly account: string; readonly asset: string; readonly units: bigint }[] {
    return [...this.#open].flatMap(([account, { at, base }]) => {
      if (at + CUT_S > cursorTime) return []
      const decides = this.#repeated(account, base)
      return [...(decides?.leaves ?? [])].map(([asset, { free, depositedSeen, paidSeen }]) => {
        const { deposited, paid } = countersOf(account, asset)
        return { account, asset, units: free + deposited - depositedSeen - paid + paidSeen }
      })
    })
  }

  #act(act: ExitAct, { hasLeaf, baseOf }: Parameters<OpenExits['take']>[1]): void {
    switch (act.kind) {
      case 'requested': {
        const last = this.#posts.at(-1)
        const base = last && baseOf(last, act.account)
        this.#open.set(act.account, { at: act.at, judgedFrom: hasLeaf(act.account) ? 0 : undefined, base })
        return
      }
      case 'cancelled':
        this.#open.delete(act.account)
        this.#held.delete(act.account)
        return
      case 'paid': {
        const base = this.#repeated(act.account, this.#open.get(act.account)?.base)
        this.#paid.set(act.account, { block: BigInt(act.block), base })
        return
      }
      case 'posted':
        this.#posts = [...this.#posts.slice(1 - MAX_POSTS), act]
        for (const [account, exit] of this.#open) if (act.at <= exit.at + CUT_S) exit.base = baseOf(act, account)
        return
      case 'dropped': {
        const isDropped = ({ seq }: { readonly seq: number }) => seq >= act.from && seq <= act.to
        this.#posts = this.#posts.filter((post) => !isDropped(post))
        // The root that is left may be too old to be in memory, and the account's floor may exclude it: the vault decides.
        for (const exit of this.#open.values()) if (exit.base && isDropped(exit.base)) exit.base = undefined
      }
    }
  }

  /** A root that does not know the payment of an earlier exit does not count: then the root of that payment does. */
  #repeated(account: string, base: Base | undefined): Base | undefined {
    const paid = this.#paid.get(account)
    return paid && base && base.cursorBlock < paid.block ? paid.base : base
  }
}

const MAX_POSTS = 1_000
