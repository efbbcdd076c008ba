import type { Facts } from './kill-facts.ts'
import type { Step, StepOutcome } from './kill-steps.ts'

/** Messages from the kill test to the process that it kills. */
export type ToChild =
  | { readonly kind: 'run'; readonly waves: readonly [Step[], Step[]]; readonly killAt: string | undefined }
  | { readonly kind: 'facts' }
  | { readonly kind: 'close' }

export type FromChild =
  | { readonly kind: 'ready'; readonly passed: string[]; readonly sinceStartMs: number }
  | { readonly kind: 'response'; readonly name: string; readonly outcome: StepOutcome }
  | { readonly kind: 'done'; readonly passed: string[] }
  | ({ readonly kind: 'facts' } & Facts)
