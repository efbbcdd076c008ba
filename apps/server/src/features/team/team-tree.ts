import assert from 'node:assert/strict'

/** How many members a team has, without the member whose team it is. */
export interface TeamCounts {
  readonly direct: number
  readonly direct_activated: number
  readonly total: number
  readonly total_activated: number
}

/** A member by its number, with its inviter's: 0 without one. */
export interface Joined {
  readonly number: number
  readonly inviter: number
}

const NONE = 0
const FIRST_CAPACITY = 1024
/** Most members that one page of a depth looks at. */
const MAX_VISITED = 20_000

/**
 * Every member's place in the tree of invitations, and the counts of every team, in 41 bytes for each member.
 *
 * Reading counts takes constant time. A member that joins or is activated adds one to each inviter above it, and many together
 * are counted in a single pass over all members, so catching up never takes longer than that pass.
 *
 * A member has a slot in the order of joining here, inviters first. Slot 0 is empty: the inviter of those without one.
 */
export class TeamTree {
  #size = 1
  #capacity = FIRST_CAPACITY
  #parent = new Int32Array(FIRST_CAPACITY)
  #newestLead = new Int32Array(FIRST_CAPACITY)
  #olderSibling = new Int32Array(FIRST_CAPACITY)
  #depth = new Int32Array(FIRST_CAPACITY)
  #direct = new Int32Array(FIRST_CAPACITY)
  #directActivated = new Int32Array(FIRST_CAPACITY)
  #total = new Int32Array(FIRST_CAPACITY)
  #totalActivated = new Int32Array(FIRST_CAPACITY)
  #isActivated = new Uint8Array(FIRST_CAPACITY)
  /** Members who left: they keep their slot until the server restarts. */
  #hasLeft = new Uint8Array(FIRST_CAPACITY)
  #numberOf = new Int32Array(FIRST_CAPACITY)
  #slotOf = new Int32Array(FIRST_CAPACITY)
  /** Members whose inviter is not here yet, by the inviter's number. */
  #waiting = new Map<number, Joined[]>()
  /** Activated members who are not here yet. */
  #activatedEarly = new Set<number>()

  /** Members in the tree. */
  get size(): number {
    return this.#size - 1
  }

  /** Adds members, in any order. One that is here already changes nothing. */
  join(members: readonly Joined[]): void {
    const from = this.#size
    for (const each of members) this.#place(each)
    const added = this.#size - from
    if (added === 0) return
    if (this.#areMany(added)) this.#countAgain()
    else for (let slot = from; slot < this.#size; slot++) this.#climb(slot, 1, this.#isActivated[slot] as number)
  }

  /** Marks members as activated, in any order. One that is activated already changes nothing. */
  activate(numbers: readonly number[]): void {
    const marked: number[] = []
    for (const number of numbers) {
      const slot = this.#slotOf[number] ?? NONE
      if (slot === NONE) this.#activatedEarly.add(number)
      else if (this.#isActivated[slot] === 0) {
        this.#isActivated[slot] = 1
        marked.push(slot)
      }
    }
    if (this.#areMany(marked.length)) this.#countAgain()
    else for (const slot of marked) this.#climb(slot, 0, 1)
  }

  /** Takes out members who were deleted, in any order. Only a member without leads is ever deleted. */
  leave(numbers: readonly number[]): void {
    const left: number[] = []
    for (const number of numbers) {
      const slot = this.#slotOf[number] ?? NONE
      if (slot === NONE || this.#hasLeft[slot] === 1) continue
      this.#hasLeft[slot] = 1
      left.push(slot)
    }
    if (this.#areMany(left.length)) this.#countAgain()
    else for (const slot of left) this.#climb(slot, -1, 0)
  }

  /** Members who left are in no team. */
  has(number: number): boolean {
    const slot = this.#slotOf[number] ?? NONE
    return slot !== NONE && this.#hasLeft[slot] === 0
  }

  isActivated(number: number): boolean {
    return this.#isActivated[this.#slot(number)] === 1
  }

  /** Counts of the member's team, in constant time. */
  counts(number: number): TeamCounts {
    const slot = this.#slot(number)
    return {
      direct: this.#direct[slot] as number,
      direct_activated: this.#directActivated[slot] as number,
      total: this.#total[slot] as number,
      total_activated: this.#totalActivated[slot] as number,
    }
  }

  /** Steps from a member up to one of its inviters; `undefined` if it is not in that team. 0 for the member itself. */
  depthBelow(inviter: number, member: number): number | undefined {
    const [top, below] = [this.#slot(inviter), this.#slot(member)]
    let slot = below
    while (slot !== top && this.#depthAt(slot) > this.#depthAt(top)) slot = this.#parent[slot] as number
    return slot === top ? this.#depthAt(below) - this.#depthAt(top) : undefined
  }

  /**
   * Members at a depth of a team, by inviter and newest first, after one of them. Looks at a bounded number of members.
   *
   * @returns the members; `goesOnAfter` names the last member looked at if there may be more.
   */
  atDepth(
    inviter: number,
    { depth, after, limit }: { depth: number; after: number | undefined; limit: number },
  ): { found: number[]; goesOnAfter: number | undefined } {
    const top = this.#slot(inviter)
    const wanted = this.#depthAt(top) + depth
    const found: number[] = []
    let slot = after === undefined ? this.#down(top, wanted) : this.#next(this.#slot(after), top, wanted)
    for (let visited = 0; slot !== NONE; visited++) {
      if (this.#depthAt(slot) === wanted && this.#hasLeft[slot] === 0) found.push(this.#numberOf[slot] as number)
      if (found.length === limit || visited === MAX_VISITED)
        return { found, goesOnAfter: this.#next(slot, top, wanted) ? this.#numberOf[slot] : undefined }
      slot = this.#next(slot, top, wanted)
    }
    return { found, goesOnAfter: undefined }
  }

  /** The member that a walk through the team looks at first: the newest lead, unless the walk ends above it. */
  #down(slot: number, wanted: number): number {
    return this.#depthAt(slot) < wanted ? (this.#newestLead[slot] as number) : NONE
  }

  /** The member after one in the walk through a team, down to the wanted depth. */
  #next(slot: number, top: number, wanted: number): number {
    const below = this.#down(slot, wanted)
    if (below !== NONE) return below
    let each = slot
    while (each !== top && each !== NONE) {
      const sibling = this.#olderSibling[each] as number
      if (sibling !== NONE) return sibling
      each = this.#parent[each] as number
    }
    return NONE
  }

  /** Gives a member a slot below its inviter, then those who waited for it. */
  #place(joined: Joined): void {
    const open = [joined]
    for (let each = open.pop(); each; each = open.pop()) {
      if (this.has(each.number)) continue
      const parent = each.inviter === NONE ? NONE : (this.#slotOf[each.inviter] ?? NONE)
      if (each.inviter !== NONE && parent === NONE) {
        const waiting = this.#waiting.get(each.inviter) ?? []
        waiting.push(each)
        this.#waiting.set(each.inviter, waiting)
        continue
      }
      this.#grow(each.number)
      const slot = this.#size++
      this.#slotOf[each.number] = slot
      this.#numberOf[slot] = each.number
      this.#parent[slot] = parent
      this.#depth[slot] = parent === NONE ? 0 : this.#depthAt(parent) + 1
      this.#isActivated[slot] = this.#activatedEarly.delete(each.number) ? 1 : 0
      if (parent !== NONE) {
        this.#olderSibling[slot] = this.#newestLead[parent] as number
        this.#newestLead[parent] = slot
      }
      open.push(...(this.#waiting.get(each.number) ?? []))
      this.#waiting.delete(each.number)
    }
  }

  /** For many, a pass over all members costs less than climbing from each. */
  #areMany(changed: number): boolean {
    return changed > 1000 && changed > this.#size / 1000
  }

  #climb(slot: number, joined: number, activated: number): void {
    const inviter = this.#parent[slot] as number
    if (inviter === NONE) return
    add(this.#direct, inviter, joined)
    add(this.#directActivated, inviter, activated)
    for (let each = inviter; each !== NONE; each = this.#parent[each] as number) {
      add(this.#total, each, joined)
      add(this.#totalActivated, each, activated)
    }
  }

  /** Counts all teams in one pass: each member's leads have later slots, so its own counts are complete when it is reached. */
  #countAgain(): void {
    for (const counts of [this.#direct, this.#directActivated, this.#total, this.#totalActivated]) counts.fill(0)
    for (let slot = this.#size - 1; slot > NONE; slot--) {
      const inviter = this.#parent[slot] as number
      if (inviter === NONE || this.#hasLeft[slot] === 1) continue
      const activated = this.#isActivated[slot] as number
      add(this.#direct, inviter, 1)
      add(this.#directActivated, inviter, activated)
      add(this.#total, inviter, 1 + (this.#total[slot] as number))
      add(this.#totalActivated, inviter, activated + (this.#totalActivated[slot] as number))
    }
  }

  #depthAt(slot: number): number {
    return this.#depth[slot] as number
  }

  #slot(number: number): number {
    const slot = this.#slotOf[number] ?? NONE
    assert(slot !== NONE, `member ${number} is not in the tree`)
    return slot
  }

  #grow(number: number): void {
    if (number >= this.#slotOf.length) this.#slotOf = resized(this.#slotOf, Math.max(number + 1, 2 * number))
    if (this.#size < this.#capacity) return
    this.#capacity *= 2
    this.#parent = resized(this.#parent, this.#capacity)
    this.#newestLead = resized(this.#newestLead, this.#capacity)
    this.#olderSibling = resized(this.#olderSibling, this.#capacity)
    this.#depth = resized(this.#depth, this.#capacity)
    this.#direct = resized(this.#direct, this.#capacity)
    this.#directActivated = resized(this.#directActivated, this.#capacity)
    this.#total = resized(this.#total, this.#capacity)
    this.#totalActivated = resized(this.#totalActivated, this.#capacity)
    this.#numberOf = resized(this.#numberOf, this.#capacity)
    this.#isActivated = resizedFlags(this.#isActivated, this.#capacity)
    this.#hasLeft = resizedFlags(this.#hasLeft, this.#capacity)
  }
}

function add(counts: Int32Array, slot: number, count: number): void {
  counts[slot] = (counts[slot] as number) + count
}

function resizedFlags(from: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const to = new Uint8Array(length)
  to.set(from)
  return to
}

function resized(from: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const to = new Int32Array(length)
  to.set(from)
  return to
}
