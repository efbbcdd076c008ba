import type { AssetId } from '@clearwell/money/asset'

/** The published facts of a day and of a box, in the fields of a day's file: docs/concepts/draw.md defines each. */

export interface DayEvidence {
  readonly day: string
  readonly rule: 'table' | 'flat'
  /** The numbers of the day, as its root fixes them. */
  readonly rules: string
  readonly commitment: string | null
  readonly committed_at: string | null
  readonly ledger_seq: number
  readonly entry_hash: string
  readonly tree: string
  readonly boxes_root: string
  readonly root_at: string
  readonly block_not_before: string | null
  readonly block_number: number | null
  readonly block_hash: string | null
  readonly block_time: string | null
  readonly previous_block_time: string | null
  readonly seed: string | null
  readonly seed_at: string | null
  readonly box_count: number
  readonly total_power: string
  readonly pool: readonly PoolEvidence[]
}

interface PoolEvidence {
  readonly asset: AssetId
  readonly rewards: string
  readonly contributed: string
  readonly pool: string
}

/** One box of a day. */
export interface BoxEvidence {
  readonly box_id: string
  readonly level: number
  readonly streak: number
  readonly fees: string
  readonly level_factor: string
  readonly streak_factor: string
  readonly draw: number
  readonly power: string
  readonly rewards: readonly { readonly asset: AssetId; readonly amount: string }[]
}

/** Proves that a box is in the tree of its day. */
export interface InclusionEvidence {
  readonly index: number
  /** The hashes from the leaf up. */
  readonly path: readonly string[]
}

/** A block as a node of the chain reports it, and the time of the one before it. */
export interface BlockEvidence {
  readonly hash: string
  readonly time: string
  readonly previous_time: string
}

/** The changes of the `rewards` balance since the division of the day before. */
export interface SourcesEvidence {
  readonly pools: readonly { readonly asset: AssetId; readonly opening: string; readonly rewards: string }[]
  readonly sources: readonly {
    readonly asset: AssetId
    readonly kind: string
    readonly amount: string
    readonly entries: number
  }[]
  /** Each ledger entry; `undefined` where there are too many to load here. */
  readonly items?: readonly SourceEntry[] | undefined
}

export interface SourceEntry {
  readonly entry: number
  readonly kind: string
  readonly asset: AssetId
  readonly amount: string
}

/** The facts that this browser saw at the click. */
export interface NotedEvidence {
  readonly commitment: string | null
  readonly level: number
  readonly streak: number
}

/** A root as this browser first saw it. */
export interface SeenRoot {
  readonly root: string
  readonly seenAt: string
}

/** Everything that one verification reads. */
export interface Evidence {
  readonly day: DayEvidence
  readonly box: BoxEvidence
  readonly inclusion: InclusionEvidence
  /** All boxes of the day; `undefined` where there are too many to load here. */
  readonly boxes?: readonly BoxEvidence[] | undefined
  /** From a node of the chain; `undefined` if none responded. */
  readonly block?: BlockEvidence | undefined
  readonly sources?: SourcesEvidence | undefined
  /** `undefined` for a click on another device. */
  readonly noted?: NotedEvidence | undefined
  /** `undefined` where this browser was not there when the root was published. */
  readonly seen?: SeenRoot | undefined
}
