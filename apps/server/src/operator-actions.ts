import { FEATURES } from './features.ts'
import {
  creditStranded,
  moveVault,
  openAfterMove,
  signVaultTransfers,
  stopForMove,
} from './platform/custody/move-vault.ts'
import { PERSON_ACTIONS } from './platform/operator/change-person.ts'
import { moveFunds } from './platform/operator/move-funds.ts'
import type { AnyOperatorAction } from './platform/operator/operator-action.ts'
import { ruleActions } from './platform/rules/announce-rule.ts'
import { announceUpgrade, withdrawUpgrade } from './platform/upgrades/planned-upgrades.ts'
import { RULES } from './rules.ts'

/** Every change that the operator's command line can make: servers and the command line have the same list. */
export const OPERATOR_ACTIONS: readonly AnyOperatorAction[] = [
  ...PERSON_ACTIONS,
  moveFunds,
  moveVault,
  openAfterMove,
  signVaultTransfers,
  stopForMove,
  creditStranded,
  ...ruleActions(RULES),
  announceUpgrade,
  withdrawUpgrade,
  ...FEATURES.flatMap((feature) => ('operatorActions' in feature ? (feature.operatorActions ?? []) : [])),
]
