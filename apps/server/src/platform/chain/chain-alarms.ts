import { ChainBehind, ChainDisagreement, ChainFault } from './chain-fault.ts'

/** Passes without a problem after which it is reported again. */
const QUIET_PASSES = 20
/** Passes in a row that a node may lag before it is reported. */
const BEHIND_PASSES = 20

/** Reports each kind of problem once, not at each poll. */
export interface ChainAlarms {
  raise(error: unknown): void
  /** Counts a pass without a problem. */
  passed(): void
}

export function createChainAlarms(report: (error: unknown) => void): ChainAlarms {
  /** Passes without a problem since each kind was last seen. */
  const quietPasses = new Map<string, number>()
  let behind = 0
  return {
    raise(error) {
      if (error instanceof ChainBehind && ++behind < BEHIND_PASSES) return
      const kind = kindOf(error)
      const isKnown = quietPasses.has(kind)
      quietPasses.set(kind, 0)
      if (!isKnown) report(error)
    },
    passed() {
      behind = 0
      for (const [kind, passes] of quietPasses) {
        if (passes + 1 >= QUIET_PASSES) quietPasses.delete(kind)
        else quietPasses.set(kind, passes + 1)
      }
    },
  }
}

function kindOf(error: unknown): string {
  if (error instanceof ChainFault) return `fault ${error.kind}`
  if (error instanceof ChainDisagreement) return `disagreement ${error.about}`
  if (error instanceof ChainBehind) return 'behind'
  // The same problem names a different block each time.
  return String(error).replace(/0x[0-9a-f]+|\d+/gi, '#')
}
