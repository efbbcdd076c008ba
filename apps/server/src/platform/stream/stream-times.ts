/** How often is looked, and what counts as failing. */
export interface StreamTimes {
  /** A state's change is told within this, and not more often. */
  readonly tickMs: number
  /** Where another server writes, its entries are seen within this. */
  readonly pollMs: number
  /** What lies between two looks at the ledger at least, however often is written. */
  readonly gapMs: number
  readonly beatMs: number
  readonly sessionCheckMs: number
  /** How long a bug or the database may keep a channel from what it has to tell before its listeners are told so. */
  readonly failingMs: number
}
