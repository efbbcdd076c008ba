import { BOX_STRATEGIES } from './box-strategies.ts'
import { HUB_STRATEGIES } from './hub-strategies.ts'
import { LENDING_STRATEGIES } from './lending-strategies.ts'
import { PLAN_STRATEGIES } from './plan-strategies.ts'
import type { Strategy } from './strategy.ts'
import { SWAP_STRATEGIES } from './swap-strategies.ts'

/** Every strategy of the attacker. */
export const STRATEGIES: readonly Strategy[] = [
  ...SWAP_STRATEGIES,
  ...PLAN_STRATEGIES,
  ...BOX_STRATEGIES,
  ...HUB_STRATEGIES,
  ...LENDING_STRATEGIES,
]
