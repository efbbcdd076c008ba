import type { HeaderFields } from './ledger-lines.ts'
import type { TreeTop } from './users-tree.ts'

/** A header that was found to be right, with the trees as it has them. */
export interface PathHeader {
  readonly header: HeaderFields
  readonly hash: string
  /** By asset. */
  readonly tops: ReadonlyMap<string, TreeTop>
  /** Leaves that it has changed. */
  readonly changed: number
}

/** A header on the chain. */
export interface Post {
  readonly number: string
  readonly hash: string
  /** Seconds. */
  readonly postedAt: number
  readonly tx: string
}

export interface Signatures {
  readonly root: string
  readonly bookkeeper: string | null
}

interface Kept extends PathHeader {
  signatures?: Signatures | undefined
  post?: Post | undefined
  /** Leaves that have changed since the kept header before. */
  weight: number
}

/** A header that paths may be given out for. */
export type SignedPathHeader = PathHeader & { readonly signatures: Signatures; readonly post?: Post | undefined }

/** Leaves that may differ among the headers in memory: each takes about 4 kB at most. */
const MAX_CHANGED = 200_000
/** A header can be posted for two hours, and an hour later it is known to be. In seconds. */
const POSTABLE_S = 3 * 3_600
const HOUR_S = 3_600
/** Signatures and posts that can come before the header is judged. */
const MAX_REMEMBERED = 10_000

/**
 * The headers that paths can be given out for: those that both keys have signed, and where the vault has exits, those that are posted.
 * Their trees share what is the same, so a header takes the memory of the leaves that it has changed.
 */
export class PathHeaders {
  readonly #kept = new Map<string, Kept>()
  #weight = 0
  readonly #signatures = new Map<string, Signatures>()
  readonly #posts = new Map<string, Post>()
  /** True once the vault has a posted header: then only those count. */
  #hasPosts = false

  add(made: PathHeader): void {
    const { number, cursorTime } = made.header
    const weight = made.changed + 1
    this.#kept.set(number, { ...made, weight })
    this.#weight += weight
    this.#complete(number)
    this.#thin(cursorTime)
    for (const [oldest, kept] of this.#kept) {
      if (this.#weight <= MAX_CHANGED) return
      this.#kept.delete(oldest)
      this.#weight -= kept.weight
    }
  }

  sign(number: string, signatures: Signatures): void {
    remember(this.#signatures, number, signatures)
    this.#complete(number)
  }

  /** Takes a header that the chain has. The first one of a vault may be of no ledger. */
  post(post: Post): void {
    this.#hasPosts = true
    remember(this.#posts, post.number, post)
    this.#complete(post.number)
  }

  /** Returns the newest header that paths may be given out for, or the one with this number. */
  find(number?: string): SignedPathHeader | undefined {
    const kept =
      number === undefined ? [...this.#kept.values()].findLast((each) => this.#isServed(each)) : this.#kept.get(number)
    return kept && this.#isServed(kept) ? kept : undefined
  }

  #complete(number: string): void {
    const kept = this.#kept.get(number)
    const post = this.#posts.get(number)
    if (!kept) return
    kept.signatures ??= this.#signatures.get(number)
    if (post?.hash === kept.hash) kept.post = post
  }

  #isServed(kept: Kept): kept is Kept & SignedPathHeader {
    return kept.signatures !== undefined && (!this.#hasPosts || kept.post !== undefined)
  }

  /** Of the old headers, those on the chain stay, and without exits the first of each hour. */
  #thin(nowS: number): void {
    let hour = -1
    let carried = 0
    for (const [number, kept] of this.#kept) {
      const { cursorTime } = kept.header
      const isYoung = cursorTime > nowS - POSTABLE_S
      const own = Math.floor(cursorTime / HOUR_S)
      if (isYoung || (this.#isServed(kept) && (kept.post !== undefined || own !== hour))) {
        // It keeps alive what the headers between have changed.
        kept.weight += carried
        carried = 0
        hour = own
      } else {
        this.#kept.delete(number)
        carried += kept.weight
      }
      if (isYoung) return
    }
  }
}

function remember<Value>(values: Map<string, Value>, number: string, value: Value): void {
  values.set(number, value)
  const [oldest] = values.keys()
  if (values.size > MAX_REMEMBERED && oldest !== undefined) values.delete(oldest)
}
