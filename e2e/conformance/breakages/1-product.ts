import { drop, dropCall, literal, operator, read, returns, set } from '../../../scripts/rows/edits.ts'
import { breaksIn } from '../breaks-in.ts'

const FEATURES = 'apps/server/src/features'
const WEB = 'apps/web/src'

/** Section 1: what the product does and for whom. */
export const breakages = [
  ...breaksIn(`${WEB}/boot/start-path.ts`, { '1.01': read('startPath > locale', 'preferred', "'en'") }),
  ...breaksIn('packages/ui/src/i18n/locale-path.ts', { '1.02': literal('localeOfPath', 'en', 'zh-HK') }),
  ...breaksIn(`${FEATURES}/activation/activate.ts`, { '1.04': operator('settleActivation', 'credited', '>=') }),
  ...breaksIn('apps/server/src/domain/members/activate-member.ts', { '1.05': set('', 'activated_at', 'null') }),
  ...breaksIn(`${FEATURES}/swap/execute-swap.ts`, { '1.06': read('planSwap > order', 'amountOut', 'amountIn') }),
  ...breaksIn(`${FEATURES}/blind-box/blind-box.handlers.ts`, { '1.07': set('claimBoxes', 'assigned', '[]') }),
  ...breaksIn(`${WEB}/features/stake/pledge-facts.tsx`, {
    '1.08': read('', 'total_pledged', 'withdrawable'),
  }),
  ...breaksIn(`${FEATURES}/stake/open-loan.ts`, { '1.09': literal('postingsOf', 'collateral', 'available') }),
  ...breaksIn('packages/rules/src/membership.ts', { '1.11': set('', 'LEADS_PER_LEVEL', '7') }),
  ...breaksIn(`${WEB}/features/rich/rich.screens.ts`, { '1.12': drop('', '/rich') }),
  ...breaksIn(`${FEATURES}/rich/link-uid.ts`, { '1.13': dropCall('', 'write') }),
  ...breaksIn(`${WEB}/features/node/node-screen.tsx`, { '1.14': read('Hero', 'network_power', 'my_power') }),
  ...breaksIn(`${FEATURES}/rank/rank.handlers.ts`, { '1.15': set('rankList', 'rank', 'rows.length - index') }),
  ...breaksIn(`${WEB}/features/session/sign-in.ts`, { '1.03': dropCall('confirmSigning', 'signMessage') }),
  ...breaksIn(`${WEB}/features/history/history.screens.ts`, {
    '1.16': set('/transaction', 'load', "() => import('./summary-screen.tsx')"),
  }),
  ...breaksIn(`${WEB}/features/white/white-screen.tsx`, { '1.17': set('Paper', 'blocks', '[]') }),
  ...breaksIn('packages/rules/src/part-liquidation.ts', { '1.10': read('', 'isOverdue', 'undefined') }),
  ...breaksIn(`${WEB}/app/product-title.tsx`, { '1.18': returns('ProductTitle', 'null') }),
  ...breaksIn('packages/ui/src/browser/color-mode.ts', { '1.19': literal('colorModeStore', 'dark', 'light') }),
]
