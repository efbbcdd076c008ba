import assert from 'node:assert/strict'
import { Preorder } from './preorder.ts'

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

/**
 * Every member's place in the tree of invitations, and the counts of every team, in 53 bytes for each member.
 *
 * No call climbs a line of inviters. A team is a range in the {@link Preorder} of all members, so joining, activating, counting,
 * comparing and each member of a page take logarithmic time for any depth.
 *
 * A member has a slot in the order of joining here, inviters first. Slot 0 is empty: the inviter of those without one.
 */
export class TeamTree {
  readonly #order: Preorder
  #slots = 1
  #capacity = FIRST_CAPACITY
  #parent = new Int32Array(FIRST_CAPACITY)
  #direct = new Int32Array(FIRST_CAPACITY)
  #directActivated = new Int32Array(FIRST_CAPACITY)
  #numberOf = new Int32Array(FIRST_CAPACITY)
  #slotOf = new Int32Array(FIRST_CAPACITY)
  /** Members whose inviter is not here yet, by the inviter's number. */
  #waiting = new Map<number, Joined[]>()
  /** Activated members who are not here yet. */
  #activatedEarly = new Set<number>()

  /** @param seed unknown to members: see {@link Preorder}. */
  constructor(seed: number) {
    this.#order = new Preorder(seed)
  }

  /** Members in the tree. */
  get size(): number {
    return this.#order.size
  }

  /** Adds members, in any order. One that was here before changes nothing. */
  join(members: readonly Joined[]): void {
    for (const each of members) this.#place(each)
  }

  /** Marks members as activated, in any order. One that is activated already changes nothing. */
  activate(numbers: readonly number[]): void {
    for (const number of numbers) {
      const slot = this.#slotOf[number] ?? NONE
      if (slot === NONE) this.#activatedEarly.add(number)
      else if (this.#order.activate(slot)) this.#addDirect(slot, { members: 0, activated: 1 })
    }
  }

  /** Removes members, in any order. One that is not here changes nothing. The leads of a member who leaves have left, or leave too. */
  leave(numbers: readonly number[]): void {
    for (const number of numbers) {
      if (!this.has(number)) continue
      const slot = this.#slot(number)
      this.#addDirect(slot, { members: -1, activated: this.#order.isActivated(slot) ? -1 : 0 })
      this.#order.remove(slot)
    }
  }

  has(number: number): boolean {
    // Slot 0 is never present.
    return this.#order.isPresent(this.#slotOf[number] ?? NONE)
  }

  isActivated(number: number): boolean {
    return this.#order.isActivated(this.#slot(number))
  }

  /** Counts of the member's team. */
  counts(number: number): TeamCounts {
    const slot = this.#slot(number)
    const end = this.#endOf(slot)
    const own = this.#order.isActivated(slot) ? 1 : 0
    return {
      direct: this.#direct[slot] as number,
      direct_activated: this.#directActivated[slot] as number,
      total: this.#order.position(end) - this.#order.position(slot) - 1,
      total_activated: this.#order.activatedBefore(end) - this.#order.activatedBefore(slot) - own,
    }
  }

  /** Steps from a member up to one of its inviters; `undefined` if it is not in that team. 0 for the member itself. */
  depthBelow(inviter: number, member: number): number | undefined {
    return this.team(inviter)(member)
      ? this.#order.depth(this.#slot(member)) - this.#order.depth(this.#slot(inviter))
      : undefined
  }

  /** Returns whether members are in a team, its top included: for many comparisons with one team. */
  team(top: number): (member: number) => boolean {
    const slot = this.#slot(top)
    const [from, to] = [this.#order.position(slot), this.#order.position(this.#endOf(slot))]
    return (member) => {
      if (!this.has(member)) return false
      const position = this.#order.position(this.#slot(member))
      return from <= position && position < to
    }
  }

  /**
   * Members at a depth of a team, by inviter and newest first, after one of them.
   *
   * @returns the members; `goesOnAfter` names the last one if there are more.
   */
  atDepth(
    inviter: number,
    { depth, after, limit }: { depth: number; after: number | undefined; limit: number },
  ): { found: number[]; goesOnAfter: number | undefined } {
    const top = this.#slot(inviter)
    const wanted = this.#order.depth(top) + depth
    const end = this.#order.position(this.#endOf(top))
    // The position of slot 0 is after all members, so after the team too.
    const within = (slot: number) => (this.#order.position(slot) < end ? slot : NONE)
    const found: number[] = []
    let slot = within(this.#nextAt(after === undefined ? top : this.#slot(after), wanted))
    for (; slot !== NONE && found.length < limit; slot = within(this.#nextAt(slot, wanted)))
      found.push(this.#numberOf[slot] as number)
    return { found, goesOnAfter: slot === NONE ? undefined : found.at(-1) }
  }

  /**
   * The next member at a depth, or one of another team; 0 for none. A step of the walk goes at most one member deeper, so the first
   * that is deep enough after a shallower one has the depth. Nothing follows slot 0.
   */
  #nextAt(slot: number, depth: number): number {
    const next = this.#order.nextUpTo(slot, depth)
    return this.#order.depth(next) === depth ? next : this.#order.nextFrom(next, depth)
  }

  /** The first slot after a team; 0 for none. */
  #endOf(slot: number): number {
    return this.#order.nextUpTo(slot, this.#order.depth(slot))
  }

  /** Gives a member a slot below its inviter, then those who waited for it. */
  #place(joined: Joined): void {
    const open = [joined]
    for (let each = open.pop(); each; each = open.pop()) {
      if ((this.#slotOf[each.number] ?? NONE) !== NONE) continue
      const parent = this.#slotOf[each.inviter] ?? NONE
      if (each.inviter !== NONE && parent === NONE) {
        const waiting = this.#waiting.get(each.inviter) ?? []
        waiting.push(each)
        this.#waiting.set(each.inviter, waiting)
        continue
      }
      this.#grow(each.number)
      const slot = this.#slots++
      this.#slotOf[each.number] = slot
      this.#numberOf[slot] = each.number
      this.#parent[slot] = parent
      const isActivated = this.#activatedEarly.delete(each.number)
      this.#order.add(slot, parent, isActivated)
      this.#addDirect(slot, { members: 1, activated: isActivated ? 1 : 0 })
      for (const waiting of this.#waiting.get(each.number) ?? []) open.push(waiting)
      this.#waiting.delete(each.number)
    }
  }

  /** Counts a member for its inviter. Slot 0 counts those without one, and no one asks for it. */
  #addDirect(slot: number, { members, activated }: { members: number; activated: number }): void {
    const inviter = this.#parent[slot] as number
    this.#direct[inviter] = (this.#direct[inviter] as number) + members
    this.#directActivated[inviter] = (this.#directActivated[inviter] as number) + activated
  }

  #slot(number: number): number {
    const slot = this.#slotOf[number] ?? NONE
    assert(slot !== NONE, `member ${number} is not in the tree`)
    return slot
  }

  #grow(number: number): void {
    if (number >= this.#slotOf.length) this.#slotOf = resized(this.#slotOf, 2 * number)
    if (this.#slots < this.#capacity) return
    this.#capacity *= 2
    this.#parent = resized(this.#parent, this.#capacity)
    this.#direct = resized(this.#direct, this.#capacity)
    this.#directActivated = resized(this.#directActivated, this.#capacity)
    this.#numberOf = resized(this.#numberOf, this.#capacity)
  }
}

function resized(from: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const to = new Int32Array(length)
  to.set(from)
  return to
}
