import type { Evidence, Step } from '@clearwell/verify/verify-box'

/**
 * `unconfirmed`: the figures agree, but this browser cannot tell when they were published. `unchecked`: a part is missing here.
 * `unneeded`: the day has no such step.
 */
export type StepOutcome = 'holds' | 'wrong' | 'unconfirmed' | 'unchecked' | 'unneeded'

type Known = Pick<Evidence, 'header' | 'seen'>

/**
 * How a step turned out. The time of a root is the operator's own statement, so the order holds only where this browser saw the
 * root before the block. A flat day has no block, and there the order decides nothing.
 */
export function outcomeOf({ name, valid, warning }: Step, { header, seen }: Known): StepOutcome {
  const isFlat = header.rule === 'flat'
  if (valid === undefined) return name === 'block' && isFlat ? 'unneeded' : 'unchecked'
  if (!valid) return 'wrong'
  const isUnseen = name === 'root' && !isFlat && seen === undefined
  return warning !== undefined || isUnseen ? 'unconfirmed' : 'holds'
}

interface OutcomeSum {
  readonly holds: readonly Step[]
  readonly wrong: readonly Step[]
  /** Neither right nor wrong here. */
  readonly open: readonly Step[]
  /** How many steps the day has. */
  readonly needed: number
}

/** Sorts the steps of a day by their outcome. */
export function sumOutcomes(steps: readonly Step[], evidence: Known): OutcomeSum {
  const sorted = Map.groupBy(steps, (step) => outcomeOf(step, evidence))
  const of = (...outcomes: StepOutcome[]) => outcomes.flatMap((outcome) => sorted.get(outcome) ?? [])
  return {
    holds: of('holds'),
    wrong: of('wrong'),
    open: of('unconfirmed', 'unchecked'),
    needed: steps.length - of('unneeded').length,
  }
}
