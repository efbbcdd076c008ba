import type { Evidence } from './box-evidence.ts'
import { checkBlock, checkCommitment, checkDraw } from './check-draw.ts'
import { checkPool, checkPower, checkShare, checkSources } from './check-reward.ts'
import { CHECK_STEPS, type CheckStep, type CheckStepName, type Verdict } from './check-step.ts'
import { checkInclusion, checkRoot, checkTotal } from './check-tree.ts'

/** Repeats the draw and the reward of a box from what is published, step by step, with the rules of the server. */
export function verifyBox(evidence: Evidence): CheckStep[] {
  const checks: Record<CheckStepName, (evidence: Evidence) => Verdict> = {
    commitment: checkCommitment,
    inclusion: checkInclusion,
    root: checkRoot,
    block: checkBlock,
    draw: checkDraw,
    power: checkPower,
    total: checkTotal,
    sources: checkSources,
    pool: checkPool,
    share: checkShare,
  }
  return CHECK_STEPS.map((name) => {
    try {
      return { name, ...checks[name](evidence) }
    } catch {
      // Malformed evidence proves nothing.
      return { name, isRight: false, facts: [] }
    }
  })
}
