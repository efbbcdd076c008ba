import { FEATURES } from './features.ts'
import type { AnyRule } from './platform/rules/rule.ts'

/** Every rule that can change while servers run, in the order of the features. */
export const RULES: readonly AnyRule[] = FEATURES.flatMap((feature) => ('rules' in feature ? feature.rules : []))

/** The keys of the configuration file that count for a new ledger only. Lending announces its own. */
export const ANNOUNCED_KEYS: readonly string[] = [...RULES.flatMap(({ configKeys }) => configKeys), 'stake']
