import type { ProofRecord } from './proof-records.ts'

/** Index of an asset and place of a leaf, with a space between them. */
export type LeafKey = `${number} ${number}`

/** Returns hash and sum of the own leaf now. */
export type LeafAt = (key: LeafKey) => { readonly hash: Buffer; readonly sum: bigint }

/** Compares the log of the proof data with the own leaves. Others build paths from the log, so it must have each of them. */
export class LeafLog {
  /** The leaves that the log has otherwise, as it has them; `undefined` for an older one than the own leaf. */
  readonly #different = new Map<LeafKey, ProofRecord | undefined>()

  /**
   * Takes the records of one header.
   *
   * @param changed the own leaves that differ from those at the header before.
   * @returns the fault, or `undefined` if the log has exactly the own leaves.
   */
  add(records: readonly ProofRecord[], changed: ReadonlySet<LeafKey>, leafAt: LeafAt): string | undefined {
    for (const key of changed) if (!this.#different.has(key)) this.#different.set(key, undefined)
    for (const record of records) this.#different.set(`${record.asset} ${record.place}`, record)
    for (const [key, record] of this.#different) {
      const leaf = leafAt(key)
      if (record && leaf.hash.equals(record.hash) && leaf.sum === record.sum) this.#different.delete(key)
    }
    const [first] = this.#different
    if (!first) return undefined
    const [key, record] = first
    const place = key.split(' ')[1]
    return record
      ? `the proof data have another leaf at place ${place}`
      : `the proof data lack the leaf at place ${place}`
  }
}
