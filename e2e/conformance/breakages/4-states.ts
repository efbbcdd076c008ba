import { always, drop, dropCall, literal, never, read, set } from '../../../scripts/rows/edits.ts'
import { breaksIn } from '../breaks-in.ts'

const WEB = 'apps/web/src'
const WALLET = `${WEB}/wallet`

/** Section 4: states and transitions. */
export const breakages = [
  ...breaksIn(`${WEB}/api/client.ts`, {
    '4.06': dropCall('exchange', 'forgetSession'),
    '4.07': always('exchange', 'SIGN_IN_AGAIN'),
  }),
  ...breaksIn(`${WALLET}/wallet-choices.ts`, { '4.08': drop('connect', 'connector') }),
  ...breaksIn(`${WALLET}/resume-connection.ts`, {
    '4.11': dropCall('resumeConnection', 'reconnect'),
    '4.12': dropCall('resumeConnection', 'reconnect'),
    '4.13': never('resumeConnection', 'allAppeared'),
  }),
  ...breaksIn(`${WALLET}/browser-connector.ts`, {
    '4.17': drop('', 'onConnect'),
    '4.19': always('switchChain', 'isNotSupported'),
  }),
  // wagmi keeps the connections: these break what the app reads of them and what it tells wagmi.
  ...breaksIn(`${WALLET}/wallet-core.ts`, {
    '4.09': set('publish', 'status', "address ? 'disconnected' : status"),
    '4.10': set('publish', 'status', "status === 'disconnected' ? 'connecting' : status"),
    '4.15': set('publish', 'address', "status === 'connected' ? undefined : address"),
    '4.21': dropCall('publish', 'keepOnRequiredChain'),
  }),
  ...breaksIn(`${WALLET}/wallet-error.ts`, { '4.16': drop('BY_NAME', 'ConnectorAlreadyConnectedError') }),
  ...breaksIn(`${WALLET}/guarded-provider.ts`, {
    '4.14': set(
      'guardedProvider',
      'on',
      "(event: string, listener: never) => event !== 'disconnect' && provider.on?.(event as never, listener)",
    ),
    '4.18': drop('METHODS', 'wallet_addEthereumChain'),
  }),
  ...breaksIn(`${WEB}/features/activation/activation-payment.tsx`, { '4.25': dropCall('', 'activation_wait_tip') }),
  ...breaksIn('apps/web/src/features/rich/my-requests.tsx', { '4.22': read('', 'rich_passed', 'rich_requested') }),
  ...breaksIn('packages/ui/src/i18n/preferred-locale.ts', {
    '4.26': never('preferredLocale', 'saved'),
    '4.27': never('preferredLocale', 'language'),
    '4.28': literal('preferredLocale', 'zh-HK', 'en'),
    '4.29': set('', 'COOKIE_MAX_AGE_S', '24 * 60 * 60'),
  }),
  ...breaksIn('packages/ui/src/browser/color-mode.ts', {
    '4.31': dropCall('followSystemColorMode', 'addEventListener'),
    '4.32': dropCall('useForcedColorMode', 'useEffect'),
    '4.33': never('forceColorMode', 'system'),
  }),
  ...breaksIn(`${WEB}/features/session/sign-in.ts`, {
    '4.01': dropCall('confirmSigning', 'saveSession'),
  }),
  ...breaksIn(`${WEB}/api/session-store.ts`, { '4.02': set('useSignedIn', 'isPresent', 'true') }),
  ...breaksIn(`${WEB}/features/session/follow-wallet.ts`, {
    '4.03': never('followWallet', 'isGone'),
    '4.04': never('followWallet', 'changed'),
    '4.05': dropCall('followWallet', 'cacheAddress'),
  }),
  ...breaksIn('apps/server/src/public-config.ts', { '4.20': set('response', 'chain', 'KNOWN_CHAINS[0]') }),
  ...breaksIn(`${WEB}/features/wallet/wallet-screen.tsx`, {
    '4.24': read('WalletScreen', 'wallet_activated', 'wallet_inactive'),
  }),
  ...breaksIn('packages/ui/src/browser/color-mode.ts', {
    '4.30': drop('COLOR_MODES', 'system'),
    '4.34': dropCall('chooseColorMode', 'set'),
  }),
  ...breaksIn(`${WEB}/features/rich/approve-sheet.tsx`, { '4.23': read('', 'rich_approve_question', 'rich_uid_is') }),
  ...breaksIn(`${WEB}/app/builds.ts`, { '4.35': set('', 'POLL_MS', '600_000') }),
]
