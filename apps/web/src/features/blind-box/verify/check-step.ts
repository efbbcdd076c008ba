/** The steps of a verification, in their order. */
export const CHECK_STEPS = [
  'commitment',
  'inclusion',
  'root',
  'block',
  'draw',
  'power',
  'total',
  'sources',
  'pool',
  'share',
] as const
export type CheckStepName = (typeof CHECK_STEPS)[number]

/** One figure of a step; `given` is published by the server, `computed` comes from this browser, `read` from the chain. */
export interface CheckFact {
  readonly name: string
  readonly value: string
  readonly from: 'given' | 'computed' | 'read' | 'noted'
}

export interface CheckStep {
  readonly name: CheckStepName
  /** `undefined`: the step could not be checked here. */
  readonly isRight: boolean | undefined
  /** The step is right, but this browser cannot confirm all of it. */
  readonly warning?: 'unseen_root'
  readonly facts: readonly CheckFact[]
}

/** The verdict of a step with its figures. */
export type Verdict = Omit<CheckStep, 'name'>

export function given(name: string, value: string): CheckFact {
  return { name, value, from: 'given' }
}

export function noted(name: string, value: string): CheckFact {
  return { name, value, from: 'noted' }
}

export function computed(name: string, value: string): CheckFact {
  return { name, value, from: 'computed' }
}
