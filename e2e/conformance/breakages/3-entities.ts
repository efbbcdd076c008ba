import { drop, dropCall, literal, read, set, swap } from '../../../scripts/rows/edits.ts'
import { breaksIn } from '../breaks-in.ts'

const WEB = 'apps/web/src'
const WALLET = `${WEB}/wallet`

/** Section 3: entities and their fields. */
export const breakages = [
  ...breaksIn(`${WALLET}/wallet-config.ts`, {
    '3.01': set('', 'STORED_VERSION', '3'),
    '3.02': drop('createWalletConfig > config', 'storage'),
    '3.03': drop('createWalletConfig > config', 'storage'),
    '3.04': drop('createWalletConfig > config', 'storage'),
    '3.05': drop('createWalletConfig > config', 'storage'),
  }),
  ...breaksIn(`${WALLET}/resume-connection.ts`, { '3.06': dropCall('resumeConnection', 'reconnect') }),
  ...breaksIn('apps/server/src/features/swap/quote-swap.ts', {
    '3.13': read('quoteNow', 'amountOutAtMid', 'amountOut'),
  }),
  ...breaksIn('apps/server/src/features/swap/pool-view.ts', { '3.12': set('', 'id', '1') }),
  ...breaksIn('apps/server/src/platform/http/envelope.ts', { '3.15': drop('envelope', 'msg') }),
  ...breaksIn('apps/server/src/features/market/market.handlers.ts', { '3.14': set('', 'DEFAULT_SYMBOL', "'ETHUSDT'") }),
  ...breaksIn(`${WEB}/features/blind-box/box-text.ts`, { '3.16': swap('STATUS_TEXTS', '0', '1') }),
  ...breaksIn(`${WEB}/features/stake/loan-facts.tsx`, {
    '3.17': read('loanStatus', 'stake_status_completed', 'stake_status_liquidated'),
    '3.18': read('', 'interest_due', 'total_debt'),
  }),
  ...breaksIn(`${WEB}/features/stake/pledge-facts.tsx`, { '3.19': read('', 'estimated_earnings', 'actual_income') }),
  ...breaksIn('apps/server/src/public-config.ts', {
    '3.21': set('response', 'chains', 'KNOWN_CHAINS.toReversed()'),
    '3.22': literal('KNOWN_CHAINS', 97, 98),
    '3.23': literal('KNOWN_CHAINS', 1, 2),
    '3.24': literal('native', 18, 8),
  }),
  ...breaksIn('packages/ui/src/browser/color-mode.ts', { '3.25': dropCall('chooseColorMode', 'set') }),
  ...breaksIn(`${WEB}/api/session-store.ts`, {
    '3.07': dropCall('saveUser', 'storedUser.set'),
    '3.08': set('storedUser', 'key', "'clearwell.token'"),
  }),
  ...breaksIn('packages/api/src/session.routes.ts', {
    '3.09': set('login', 'path', "'/DappUser/signIn'"),
    '3.10': set('getNonce', 'path', "'/DappUser/nonce'"),
  }),
  ...breaksIn(`${WEB}/features/activation/activation.queries.ts`, {
    '3.11': set('cachedStatus', 'key', "'clearwell.token'"),
  }),
]
