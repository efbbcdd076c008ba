import { add, drop, dropCall, literal, never, returns, set } from '../../../scripts/rows/edits.ts'
import { breaksIn } from '../breaks-in.ts'

const SERVER = 'apps/server/src'
const WEB = 'apps/web/src'
const ICONS = 'packages/ui/src/icons'

/** Section 9: business constants and limits. */
export const breakages = [
  ...breaksIn('packages/ui/src/i18n/preferred-locale.ts', {
    '9.01': literal('preferredLocale', 'zh-HK', 'en'),
    '9.02': literal('preferredLocale', 'en', 'fr'),
    '9.03': set('', 'COOKIE_MAX_AGE_S', '30 * 24 * 60 * 60'),
  }),
  ...breaksIn(`${SERVER}/features/market/market.handlers.ts`, { '9.08': set('', 'DEFAULT_SYMBOL', "'ETHUSDT'") }),
  ...breaksIn(`${WEB}/features/swap/swap-details.tsx`, { '9.09': set('', 'PREVIEW_AMOUNT', "'10'") }),
  ...breaksIn('packages/rules/src/membership.ts', { '9.10': set('', 'LEADS_PER_LEVEL', '7') }),
  ...breaksIn(`${SERVER}/public-config.ts`, { '9.11': literal('KNOWN_CHAINS', 56, 57) }),
  ...breaksIn(`${WEB}/wallet/transport.ts`, {
    '9.12': set('RPC_LIMITS', 'timeoutMs', '20_000'),
    '9.13': set('RPC_LIMITS', 'retryDelayMs', '300'),
    '9.14': dropCall('rpcTransport', 'retryAfterMs'),
    '9.15': drop('RETRIED_STATUSES', '403'),
    '9.16': drop('RETRIED_STATUSES', '408'),
    '9.17': drop('RETRIED_STATUSES', '413'),
    '9.18': drop('RETRIED_STATUSES', '429'),
    '9.19': drop('RETRIED_STATUSES', '500'),
    '9.20': drop('RETRIED_STATUSES', '502'),
    '9.21': drop('RETRIED_STATUSES', '503'),
    '9.22': drop('RETRIED_STATUSES', '504'),
    '9.23': drop('RETRIED_CODES', '-1'),
    '9.24': drop('RETRIED_CODES', '-32005'),
    '9.25': drop('RETRIED_CODES', '-32603'),
    '9.28': set('RPC_LIMITS', 'batchSize', '100'),
  }),
  ...breaksIn(`${WEB}/wallet/wallet-config.ts`, {
    '9.26': set('createWalletConfig > config', 'pollingInterval', '5_000'),
    '9.27': set('createWalletConfig > config', 'cacheTime', '0'),
  }),
  ...breaksIn(`${WEB}/api/query-client.ts`, {
    '9.35': set('', 'RETRY_COUNT', '2'),
    '9.36': set('', 'RETRY_MAX_DELAY_MS', '60_000'),
  }),
  ...breaksIn(`${WEB}/browser/page-reload.ts`, { '9.38': set('', 'WINDOW_MS', '20_000') }),
  ...breaksIn(`${ICONS}/icon-loader.ts`, {
    '9.39': set('', 'APP_WAIT_MS', '3_000'),
    '9.40': set('', 'REQUEST_TIMEOUT_MS', '9_000'),
    '9.41': set('', 'MAX_URL_LENGTH', '900'),
    '9.42': set('', 'HOST_ROTATION_MS', '1_750'),
  }),
  ...breaksIn(`${ICONS}/icon-cache.ts`, {
    '9.43': set('', 'EXPIRY_MS', '90 * 60_000'),
    '9.44': set('', 'LIMIT', '60'),
  }),
  ...breaksIn(`${SERVER}/features/activation/activate.ts`, {
    '9.45': dropCall('activateByBalance', 'refuseWhenClosed'),
  }),
  ...breaksIn(`${SERVER}/features/blind-box/blind-box.handlers.ts`, {
    '9.46': set('claimBoxes', 'opening', "'always'"),
  }),
  ...breaksIn(`${SERVER}/features/blind-box/blind-box.handlers.ts`, {
    '9.46': set('boxStatus', 'claims_open_at', 'null'),
  }),
  ...breaksIn(`${WEB}/api/polling.ts`, {
    '9.04': set('', 'ACTIVE_STATUS_POLL_MS', '8_000'),
    '9.05': set('', 'PAIRS_POLL_MS', '6_000'),
    '9.06': set('', 'QUOTE_AFTER_PAIRS_MS', '2_500'),
    '9.07': set('', 'TICKER_POLL_MS', '4_500'),
  }),
  ...breaksIn('packages/ui/src/components/toast-store.ts', {
    '9.31': set('', 'TOAST_MS', '5_000'),
    '9.34': set('', 'COPIED_MS', '4_000'),
  }),
  ...breaksIn(`${WEB}/features/wallet/transfer-amount.ts`, {
    '9.47': never('amountProblem', 'min'),
    '9.48': never('amountProblem', 'max'),
  }),
  // A library's default holds in each of these: they break what the app gives the library, or how it shows its layers.
  ...breaksIn(`${WEB}/api/query-client.ts`, { '9.37': add('queryClient', 'queries', 'gcTime: 60_000') }),
  ...breaksIn('packages/ui/src/components/popup-layer.ts', {
    '9.32': literal('', 'relative isolate z-2000', 'relative isolate z-20'),
  }),
  ...breaksIn(`${WEB}/wallet/wallet-choices.ts`, { '9.30': returns('walletChoices > disconnect', 'undefined') }),
  ...breaksIn('packages/ui/src/components/message-dialog.tsx', { '9.33': set('', 'className', "''") }),
]
