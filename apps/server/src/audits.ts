import { FEATURES } from './features.ts'
import type { Audit } from './platform/custody/reconcile.ts'

/** Compare the features' tables with the ledger: a part of `operator reconcile`. */
export const AUDITS: readonly Audit[] = FEATURES.flatMap((feature) =>
  'audits' in feature ? (feature.audits ?? []) : [],
)
