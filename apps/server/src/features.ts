import type { Profile } from './config/environment.ts'
import { activationFeature } from './features/activation/activation.feature.ts'
import { alertFeature } from './features/alert/alert.feature.ts'
import { blindBoxFeature } from './features/blind-box/blind-box.feature.ts'
import { exitFeature } from './features/exit/exit.feature.ts'
import { historyFeature } from './features/history/history.feature.ts'
import { liquidationFeature } from './features/liquidation/liquidation.feature.ts'
import { localFeature } from './features/local/local.feature.ts'
import { marketFeature } from './features/market/market.feature.ts'
import { nodeFeature } from './features/node/node.feature.ts'
import { noticeFeature } from './features/notice/notice.feature.ts'
import { personalDataFeature } from './features/personal-data/personal-data.feature.ts'
import { planFeature } from './features/plan/plan.feature.ts'
import { proofFeature } from './features/proof/proof.feature.ts'
import { rankFeature } from './features/rank/rank.feature.ts'
import { richFeature } from './features/rich/rich.feature.ts'
import { sessionFeature } from './features/session/session.feature.ts'
import { stakeFeature } from './features/stake/stake.feature.ts'
import { swapFeature } from './features/swap/swap.feature.ts'
import { teamFeature } from './features/team/team.feature.ts'
import { walletFeature } from './features/wallet/wallet.feature.ts'
import type { People } from './platform/feature.ts'

/**
 * The features of the product: `features` of `GET /config`, and the source of everything else that is derived from them.
 * They open, start and run what is due in this order, and stop in the opposite one; the first that knows a price wins.
 */
export const FEATURES = [
  sessionFeature,
  activationFeature,
  marketFeature,
  swapFeature,
  planFeature,
  walletFeature,
  stakeFeature,
  liquidationFeature,
  teamFeature,
  rankFeature,
  blindBoxFeature,
  nodeFeature,
  historyFeature,
  richFeature,
  alertFeature,
  proofFeature,
  exitFeature,
  noticeFeature,
  personalDataFeature,
] as const

/** The features that a server of this profile opens. */
export function featuresOf(profile: Profile, people?: People) {
  if (profile !== 'local') return FEATURES
  // People first, so that their trader has joined when the pools are judged.
  return [...(people ? [people.feature] : []), localFeature, ...FEATURES]
}
