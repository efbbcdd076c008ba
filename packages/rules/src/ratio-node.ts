/** An order in the index of its pair of assets, with what decides its ratio. */
export interface RatioEntry {
  readonly id: string
  readonly collateral: bigint
  readonly debtShares: bigint
}

/** Sums of some orders. */
export interface RatioSums {
  readonly collateral: bigint
  readonly debtShares: bigint
}

/** A child of a branch: no entry of it is before `first`, and the sums are those of all its entries. */
export interface RatioChild extends RatioSums {
  readonly id: string
  readonly first: RatioEntry
}

/** The root also knows the number of the next new node, and the first node that is free. */
interface RootFields {
  next?: number | undefined
  free?: string | null | undefined
}

/** Nodes in memory. A free node waits to be used again and names the free node after it. */
export type RatioNode = RootFields &
  (
    | { readonly kind: 'leaf'; entries: RatioEntry[] }
    | { readonly kind: 'branch'; children: RatioChild[] }
    | { readonly kind: 'free' }
  )

/** Writes a node as the text that its row stores. */
export function formatNode(node: RatioNode): string {
  // Fields that are not defined are no part of the text.
  const root = { next: node.next, free: node.free }
  if (node.kind === 'leaf') return JSON.stringify({ ...root, entries: node.entries.map(textOf) })
  if (node.kind === 'free') return JSON.stringify(root)
  const children = node.children.map((child) => [
    child.id,
    ...textOf(child.first),
    String(child.collateral),
    String(child.debtShares),
  ])
  return JSON.stringify({ ...root, children })
}

/** Reads the text of a stored node. */
export function parseNode(body: string): RatioNode {
  const { entries, children, ...root } = JSON.parse(body) as {
    readonly next?: number
    readonly free?: string | null
    readonly entries?: EntryText[]
    readonly children?: [string, ...EntryText, string, string][]
  }
  if (entries) return { ...root, kind: 'leaf', entries: entries.map(entryOf) }
  if (!children) return { ...root, kind: 'free' }
  return {
    ...root,
    kind: 'branch',
    children: children.map(([id, firstId, firstCollateral, firstShares, collateral, debtShares]) => ({
      id,
      first: entryOf([firstId, firstCollateral, firstShares]),
      collateral: BigInt(collateral),
      debtShares: BigInt(debtShares),
    })),
  }
}

type EntryText = [id: string, collateral: string, debtShares: string]

const textOf = ({ id, collateral, debtShares }: RatioEntry): EntryText => [id, String(collateral), String(debtShares)]

const entryOf = ([id, collateral, debtShares]: EntryText): RatioEntry => ({
  id,
  collateral: BigInt(collateral),
  debtShares: BigInt(debtShares),
})

/** Orders entries by `collateral ÷ debt shares`, exactly, the riskiest first. Equal ratios are ordered by id. */
export function compareEntries(a: RatioEntry, b: RatioEntry): number {
  const [left, right] = [a.collateral * b.debtShares, b.collateral * a.debtShares]
  if (left !== right) return left < right ? -1 : 1
  if (a.id === b.id) return 0
  return a.id < b.id ? -1 : 1
}
