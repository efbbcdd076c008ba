import type { Finish, RootWithNext } from './calls.ts'
import { type AccountSlot, describeExit, frozenAfter } from './exit-state.ts'
import type { KitData, SignedHeader } from './kit-data.ts'
import { findPosted, lastRootUpTo, type PostedRoot, type RootSlots } from './posted-roots.ts'

/** About half a minute on a phone. */
const MOST_HASHES = 1_500_000
/** For each page of earlier roots: five minutes after the cursor for one header. A file that has the time of the post needs one hash a root. */
const MOST_HASHES_EARLIER = 300_000

export interface ChainView {
  readonly slots: RootSlots
  readonly account: AccountSlot
  /** 0 while the vault is not paused. */
  readonly pausedAt: number
  /** The time of the newest block, in seconds. */
  readonly now: number
}

export type Base =
  /** `paidBy` is the root whose paths the vault takes. */
  | ({ readonly kind: 'found'; readonly paidBy: PostedRoot } & Pick<Finish, 'base' | 'earlier' | 'unfrozen'>)
  /** None of the user's headers is among the roots that were read, which are so many. */
  | { readonly kind: 'not_posted'; readonly count: number }
  /** The user's roots came after the base. */
  | { readonly kind: 'too_new' }
  /** A later root than the user's is the base: its paths are needed. */
  | { readonly kind: 'too_old'; readonly number: string | undefined }
  /** The header of the root at `seq` is needed. */
  | { readonly kind: 'header_needed'; readonly seq: number }
  /** The paths in the root at `seq` are needed: the account's last exit was paid under it. */
  | { readonly kind: 'earlier_needed'; readonly seq: number }
  /** The account was paid under a later root. */
  | { readonly kind: 'below_floor' }
  /** The base waits while the vault is paused, until this time in seconds at the latest. */
  | { readonly kind: 'frozen'; readonly until: number }

export interface Help {
  /** Runs between portions of a search, so that the page stays awake. */
  readonly rest?: () => Promise<void>
  /** Reads the slots of earlier roots, and adds them to the others. @returns `undefined` if there are no more */
  readonly readEarlier?: (slots: RootSlots) => Promise<RootSlots | undefined>
}

/**
 * Finds the root that decides an exit, and all that the vault wants to know of it.
 *
 * Before a request it decides for one that would have been made six days ago: whether the vault has one of the user's roots.
 */
export async function findBase(data: KitData, chain: ChainView, help: Help = {}): Promise<Base> {
  const finder = new Finder(data, chain, help)
  return finder.find()
}

class Finder {
  readonly #data
  readonly #chain
  readonly #help
  #slots: RootSlots
  #roots: PostedRoot[] = []

  constructor(data: KitData, chain: ChainView, help: Help) {
    this.#data = data
    this.#chain = chain
    this.#help = help
    this.#slots = chain.slots
  }

  async find(): Promise<Base> {
    const { account, now, pausedAt } = this.#chain
    const numbers = new Set(this.#data.paths.map(({ number }) => number))
    const own = this.#data.headers.filter(({ number }) => numbers.has(number))
    const exit = describeExit(account, now)
    const last = await this.#lastOfOwn(own, exit.step === 'none' ? now : Math.min(now, exit.baseAt))
    if (this.#roots.length === 0) return { kind: 'not_posted', count: this.#slots.at.size }
    const slots = this.#slots
    if (last.kind === 'none') return { kind: 'too_new' }
    if (last.kind === 'next_unknown') return { kind: 'header_needed', seq: last.seq }
    const { root, next } = last
    const earlier = earlierOf(account, root, this.#roots)
    if (earlier === 'needed') return { kind: 'earlier_needed', seq: account.lastBase }
    const paidBy = earlier ?? root
    if (!numbers.has(paidBy.signed.number)) return { kind: 'too_old', number: paidBy.signed.number }
    if (paidBy.seq < account.floor) return { kind: 'below_floor' }
    const after = frozenAfter(pausedAt, now)
    if (after !== undefined && paidBy.postedAt > after) return { kind: 'frozen', until: pausedAt + FREEZE_S }
    const unfrozen = after !== undefined && slots.newest.postedAt > after ? await this.#lastUpTo(after) : undefined
    if (unfrozen && unfrozen.kind !== 'found') return { kind: 'header_needed', seq: slots.newest.seq }
    const found = { paidBy, base: { root, next }, earlier }
    return { kind: 'found', ...found, unfrozen: unfrozen && withNext(unfrozen) }
  }

  /** Finds the last root up to a time from the user's own headers. A vault that has posted much since then hides it among earlier roots. */
  async #lastOfOwn(own: readonly SignedHeader[], time: number) {
    await this.#search(own, [...this.#slots.at.keys()])
    for (;;) {
      const last = await this.#lastUpTo(time)
      if (last.kind === 'found' || (last.kind === 'next_unknown' && this.#slots.at.has(last.seq))) return last
      const before = this.#slots
      const slots = own.length === 0 ? undefined : await this.#help.readEarlier?.(before)
      if (!slots) return last
      this.#slots = slots
      await this.#search(
        own,
        [...slots.at.keys()].filter((seq) => !before.at.has(seq)),
        MOST_HASHES_EARLIER,
      )
    }
  }

  /** Finds the last root up to a time; what follows a known root is searched among all headers. */
  async #lastUpTo(time: number) {
    const slots = this.#slots
    for (;;) {
      const last = lastRootUpTo(time, this.#roots, slots)
      if (last.kind !== 'next_unknown') return last
      const after = BigInt(last.root.signed.number)
      const later = this.#data.headers.filter(({ number }) => BigInt(number) > after)
      const before = this.#roots.length
      await this.#search(later, [last.seq])
      if (this.#roots.length === before) return last
    }
  }

  async #search(headers: readonly SignedHeader[], seqs: readonly number[], most = MOST_HASHES): Promise<void> {
    const known = new Set(this.#roots.map(({ signed }) => signed))
    const unknown = headers.filter((each) => !known.has(each))
    const search = { headers: unknown, slots: this.#slots, seqs, most }
    const { rest } = this.#help
    const found = await findPosted(rest ? { ...search, rest } : search)
    this.#roots = [...this.#roots, ...found].toSorted((a, b) => a.seq - b.seq)
  }
}

const FREEZE_S = 7 * 86_400

const withNext = ({ root, next }: RootWithNext): RootWithNext => ({ root, next })

/** A root that does not know the account's last exit may have the same money in another asset, so the root of that exit decides. */
function earlierOf(
  { lastBlock, lastBase }: AccountSlot,
  root: PostedRoot,
  roots: readonly PostedRoot[],
): PostedRoot | 'needed' | undefined {
  if (BigInt(lastBlock) <= BigInt(root.signed.header.cursorBlock) || root.seq === lastBase) return undefined
  return roots.find(({ seq }) => seq === lastBase) ?? 'needed'
}
