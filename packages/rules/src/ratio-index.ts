import {
  compareEntries,
  formatNode,
  parseNode,
  type RatioChild,
  type RatioEntry,
  type RatioNode,
  type RatioSums,
} from './ratio-node.ts'

/** Where the nodes are stored: rows of an id and a text. */
export interface NodeStore {
  /** Returns the text of a node, `undefined` if it was never written. */
  read(id: string): string | undefined
}

/** A line between two ratios of collateral to debt shares: `top ÷ bottom`, where 0 below is infinity. */
export interface RatioLine {
  readonly top: bigint
  readonly bottom: bigint
}

type Leaf = Extract<RatioNode, { kind: 'leaf' }>
type Branch = Extract<RatioNode, { kind: 'branch' }>
type UsedNode = Leaf | Branch

/** A branch above a leaf, and the place of the child that leads to it. */
interface Step {
  readonly id: string
  readonly branch: Branch
  readonly at: number
}

/** How many entries or children a node has at most. A row stays at a few kilobytes. */
const FAN_OUT = 32

/**
 * All open orders of one pair of assets in the order of `collateral ÷ debt shares`, with sums: a B+-tree over stored nodes.
 *
 * The ratio of an order changes only when the order acts, so prices and time cost nothing. Inserting, removing and summing below a
 * line read and write one node for each level: 4 for 100,000 orders. An empty node is freed and used again.
 *
 * Use one object for one decision: it reads nodes as they are needed and keeps its changes, which the caller writes.
 *
 * @example
 * const index = new RatioIndex(store, 'BNB:USDT')
 * index.replace(before, after)
 * for (const { id, body } of index.changes()) write(id, body)
 */
export class RatioIndex {
  readonly #store: NodeStore
  readonly #name: string
  readonly #fanOut: number
  readonly #nodes = new Map<string, RatioNode>()
  readonly #changed = new Set<string>()

  /** @param name id of the root, and what the ids of all other nodes begin with. */
  constructor(store: NodeStore, name: string, fanOut = FAN_OUT) {
    this.#store = store
    this.#name = name
    this.#fanOut = fanOut
  }

  /** Adds an order. @throws RangeError if the index has it. */
  insert(entry: RatioEntry): void {
    const { leaf, leafId, steps } = this.#find(entry)
    const at = countWhile(leaf.entries, (each) => compareEntries(each, entry) < 0)
    if (leaf.entries[at]?.id === entry.id) throw new RangeError(`RatioIndex: ${entry.id} is in the index`)
    leaf.entries.splice(at, 0, entry)
    this.#changed.add(leafId)
    this.#addToSums(steps, entry, 1n)
    this.#split(leafId, steps)
  }

  /** Removes an order. @param entry exactly as it was inserted. @throws RangeError if the index does not have it so. */
  remove(entry: RatioEntry): void {
    const { leaf, leafId, steps } = this.#find(entry)
    const at = leaf.entries.findIndex((each) => isSame(each, entry))
    if (at === -1) throw new RangeError(`RatioIndex: ${entry.id} is not in the index`)
    leaf.entries.splice(at, 1)
    this.#changed.add(leafId)
    this.#addToSums(steps, entry, -1n)
    if (leaf.entries.length === 0) this.#drop(leafId, steps)
  }

  /** Moves an order to its new ratio. `undefined` is an order that does not exist yet, or no longer. */
  replace(before: RatioEntry | undefined, after: RatioEntry | undefined): void {
    if (before) this.remove(before)
    if (after) this.insert(after)
  }

  /** Sums all orders whose ratio is below a line, exactly. */
  sumBelow(line: RatioLine): RatioSums {
    let [collateral, debtShares] = [0n, 0n]
    const add = (sums: RatioSums) => {
      collateral += sums.collateral
      debtShares += sums.debtShares
    }
    let node = this.#node(this.#name)
    while (node.kind === 'branch') {
      // No order after the last child that begins below the line is below it, and all before that child are.
      const last = Math.max(0, countWhile(node.children, ({ first }) => isBelow(first, line)) - 1)
      node.children.slice(0, last).forEach(add)
      node = this.#node((node.children[last] as RatioChild).id)
    }
    ;(node as Leaf).entries.filter((entry) => isBelow(entry, line)).forEach(add)
    return { collateral, debtShares }
  }

  /** Returns the nodes to write. A free node is among them, so that a row is never left with old text. */
  changes(): { readonly id: string; readonly body: string }[] {
    return [...this.#changed].map((id) => ({ id, body: formatNode(this.#node(id)) }))
  }

  #find(entry: RatioEntry): { readonly leaf: Leaf; readonly leafId: string; readonly steps: Step[] } {
    const steps: Step[] = []
    let id = this.#name
    for (;;) {
      const node = this.#node(id)
      if (node.kind === 'leaf') return { leaf: node, leafId: id, steps }
      if (node.kind === 'free') throw new Error(`RatioIndex: ${id} is free`)
      const at = Math.max(0, countWhile(node.children, ({ first }) => compareEntries(first, entry) <= 0) - 1)
      steps.push({ id, branch: node, at })
      id = (node.children[at] as RatioChild).id
    }
  }

  /** Adds an entry to the sums of every branch on its way, or takes it away. */
  #addToSums(steps: readonly Step[], entry: RatioEntry, sign: bigint): void {
    for (const { id, branch, at } of steps) {
      const child = branch.children[at] as RatioChild
      branch.children[at] = {
        id: child.id,
        // Only the first child gets an entry that is before all others.
        first: compareEntries(entry, child.first) < 0 ? entry : child.first,
        collateral: child.collateral + sign * entry.collateral,
        debtShares: child.debtShares + sign * entry.debtShares,
      }
      this.#changed.add(id)
    }
  }

  /** Splits a node that is too full, and then its parent if that is too full now. */
  #split(fullId: string, steps: readonly Step[]): void {
    const node = this.#node(fullId) as UsedNode
    if (sizeOf(node) <= this.#fanOut) return
    const [left, right] = halves(node)
    const step = steps.at(-1)
    if (!step) {
      // The root keeps its id and gets two children.
      const { next, free } = node
      this.#nodes.set(fullId, { kind: 'branch', children: [], next, free })
      const children = [left, right].map((half) => childOf(this.#create(half), half))
      ;(this.#node(fullId) as Branch).children = children
      return
    }
    this.#nodes.set(fullId, left)
    const first = (step.branch.children[step.at] as RatioChild).first
    const replaced = { ...childOf(fullId, left), first }
    step.branch.children.splice(step.at, 1, replaced, childOf(this.#create(right), right))
    this.#split(step.id, steps.slice(0, -1))
  }

  /** Frees an empty node. A branch that has no child left is freed too, and a root with one child becomes that child. */
  #drop(emptyId: string, steps: readonly Step[]): void {
    const step = steps.at(-1)
    if (!step) return
    step.branch.children.splice(step.at, 1)
    this.#free(emptyId)
    if (step.branch.children.length === 0) this.#drop(step.id, steps.slice(0, -1))
    this.#lowerRoot()
  }

  #lowerRoot(): void {
    for (;;) {
      const root = this.#node(this.#name)
      const [only, ...others] = root.kind === 'branch' ? root.children : []
      if (!only || others.length > 0) return
      const { next, free } = root
      this.#nodes.set(this.#name, { ...this.#node(only.id), next, free })
      this.#free(only.id)
    }
  }

  #create(node: RatioNode): string {
    const root = this.#node(this.#name)
    const id = root.free ?? `${this.#name}:${root.next ?? 1}`
    if (root.free) root.free = this.#node(root.free).free ?? null
    else root.next = (root.next ?? 1) + 1
    this.#nodes.set(id, node)
    this.#changed.add(id).add(this.#name)
    return id
  }

  #free(id: string): void {
    const root = this.#node(this.#name)
    this.#nodes.set(id, { kind: 'free', free: root.free ?? null })
    root.free = id
    this.#changed.add(id).add(this.#name)
  }

  #node(id: string): RatioNode {
    const known = this.#nodes.get(id)
    if (known) return known
    const body = this.#store.read(id)
    if (body === undefined && id !== this.#name) throw new Error(`RatioIndex: ${id} is missing`)
    const node: RatioNode = body === undefined ? { kind: 'leaf', entries: [] } : parseNode(body)
    this.#nodes.set(id, node)
    return node
  }
}

/** Counts how many items at the beginning meet a condition that no item after them meets, by halving. */
function countWhile<Item>(items: readonly Item[], isMet: (item: Item) => boolean): number {
  let [met, end] = [0, items.length]
  while (met < end) {
    const middle = (met + end) >> 1
    if (isMet(items[middle] as Item)) met = middle + 1
    else end = middle
  }
  return met
}

function isSame(a: RatioEntry, b: RatioEntry): boolean {
  return a.id === b.id && a.collateral === b.collateral && a.debtShares === b.debtShares
}

function isBelow({ collateral, debtShares }: RatioSums, { top, bottom }: RatioLine): boolean {
  return collateral * bottom < debtShares * top
}

function sizeOf(node: UsedNode): number {
  return node.kind === 'leaf' ? node.entries.length : node.children.length
}

function halves(node: UsedNode): [UsedNode, UsedNode] {
  const middle = Math.ceil(sizeOf(node) / 2)
  if (node.kind === 'leaf') {
    const { entries } = node
    return [
      { kind: 'leaf', entries: entries.slice(0, middle) },
      { kind: 'leaf', entries: entries.slice(middle) },
    ]
  }
  const { children } = node
  return [
    { kind: 'branch', children: children.slice(0, middle) },
    { kind: 'branch', children: children.slice(middle) },
  ]
}

/** The child that names a node: its first key and its sums. @param node with something in it. */
function childOf(id: string, node: UsedNode): RatioChild {
  const parts: readonly RatioSums[] = node.kind === 'leaf' ? node.entries : node.children
  return {
    id,
    first: node.kind === 'leaf' ? (node.entries[0] as RatioEntry) : (node.children[0] as RatioChild).first,
    collateral: parts.reduce((sum, each) => sum + each.collateral, 0n),
    debtShares: parts.reduce((sum, each) => sum + each.debtShares, 0n),
  }
}
