import { ChainBehind, ChainDisagreement, ChainFault } from './chain-fault.ts'

/** After so many passes without it, a trouble that comes back is news again. */
const QUIET_PASSES = 20
/** A node may lag behind another for a moment: what lasts longer than so many passes is told of. */
const BEHIND_PASSES = 20

/** Tells of each kind of trouble once, not at each poll. */
export interface ChainAlarms {
  raise(error: unknown): void
  /** A pass went well. */
  passed(): void
}

export function createChainAlarms(tell: (error: unknown) => void): ChainAlarms {
  /** How many passes went well since a kind was seen last. */
  const quietPasses = new Map<string, number>()
  let behind = 0
  return {
    raise(error) {
      if (error instanceof ChainBehind && ++behind < BEHIND_PASSES) return
      const kind = kindOf(error)
      const isKnown = quietPasses.has(kind)
      quietPasses.set(kind, 0)
      if (!isKnown) tell(error)
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
  // The same trouble names another block each time.
  return String(error).replace(/0x[0-9a-f]+|\d+/gi, '#')
}
