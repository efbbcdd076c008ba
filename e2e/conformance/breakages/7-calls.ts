import { drop, dropCall, literal, never, read, set } from '../../../scripts/rows/edits.ts'
import { breaksIn } from '../breaks-in.ts'

const API = 'packages/api/src'
const WEB = 'apps/web/src'

/** Section 7: the calls it makes. */
export const breakages = [
  ...breaksIn(`${WEB}/api/api-base.ts`, { '7.01': set('', 'API_BASE', "'/other' as string") }),
  ...breaksIn(`${WEB}/api/client.ts`, {
    '7.02': literal('send', 'web', 'h5'),
    '7.03': never('send', 'token'),
    '7.05': set('send', 'body', 'formBody(payload as FormObject)'),
    '7.06': set('send', 'inQuery', 'false'),
    '7.24': never('dataOf', 'OK'),
    '7.25': never('send', 'status'),
    '7.26': set('send', 'body', 'undefined'),
    '7.27': literal('bodyOf', '', 'x'),
  }),
  ...breaksIn(`${WEB}/api/form-body.ts`, { '7.04': never('append', 'object') }),
  ...breaksIn(`${API}/session.routes.ts`, {
    '7.07': set('getNonce', 'path', "'/DappUser/nonce'"),
    '7.08': set('login', 'path', "'/DappUser/signIn'"),
    '7.10': set('userinfo', 'path', "'/profile/info'"),
  }),
  ...breaksIn(`${WEB}/features/session/invite-code.ts`, { '7.09': literal('inviteCodeOf', 'pid', 'inviter') }),
  ...breaksIn(`${API}/activation.routes.ts`, {
    '7.11': set('getActiveStatus', 'path', "'/SwapPool/status'"),
    '7.12': set('active', 'path', "'/SwapPool/activate'"),
    '7.13': set('activeByBalance', 'path', "'/SwapPool/activateByBalance'"),
  }),
  ...breaksIn(`${API}/swap.routes.ts`, {
    '7.14': set('pairs', 'path', "'/SwapPool/list'"),
    '7.16': set('getQuote', 'path', "'/SwapPool/quote'"),
    '7.17': set('doSwap', 'path', "'/SwapPool/swap'"),
    '7.18': set('orders', 'path', "'/SwapPool/swaps'"),
    '7.19': set('getOrderStatus', 'path', "'/SwapPool/order'"),
    '7.20': set('swapKline', 'path', "'/SwapPool/candles'"),
  }),
  ...breaksIn(`${API}/market.routes.ts`, {
    '7.21': set('spotTicker', 'path', "'/spot/price'"),
    '7.22': set('spotKline', 'path', "'/spot/candles'"),
  }),
  ...breaksIn(`${API}/team.routes.ts`, { '7.28': set('teamMembers', 'path', "'/Team/leads'") }),
  ...breaksIn(`${WEB}/wallet/guarded-provider.ts`, {
    '7.29': drop('METHODS', 'eth_requestAccounts'),
    '7.30': drop('METHODS', 'wallet_requestPermissions'),
    '7.31': drop('METHODS', 'eth_accounts'),
    '7.32': drop('METHODS', 'eth_chainId'),
    '7.33': drop('METHODS', 'wallet_switchEthereumChain'),
    '7.34': drop('METHODS', 'wallet_addEthereumChain'),
    '7.35': drop('METHODS', 'wallet_revokePermissions'),
    '7.36': drop('METHODS', 'personal_sign'),
  }),
  ...breaksIn(`${WEB}/wallet/transport.ts`, {
    '7.37': never('singleCall', 'length'),
    '7.38': drop('rpcTransport', 'batch'),
    '7.39': set('RPC_LIMITS', 'batchSize', '100'),
  }),
  ...breaksIn('packages/ui/src/icons/icon-loader.ts', { '7.45': set('', 'MAX_URL_LENGTH', '900') }),
  ...breaksIn(`${WEB}/content/payload-path.ts`, { '7.43': read('payloadPath', 'locale', "'en'") }),
  ...breaksIn(`${WEB}/wallet/wallet-config.ts`, { '7.40': dropCall('createWalletConfig > config', 'rpcTransport') }),
  ...breaksIn('packages/ui/src/icons/icon-loader.ts', { '7.44': set('', 'PATH', "'/images/'") }),
  ...breaksIn(`${WEB}/app/builds.ts`, {
    '7.41': literal('findNewer', '/builds/latest.json', '/builds/newest.json'),
    '7.42': set('', 'POLL_MS', '600_000'),
  }),
  ...breaksIn(`${WEB}/features/swap/swap-choice.ts`, { '7.15': literal('pairOf', 0, 1) }),
  ...breaksIn('packages/api/src/codes.ts', { '7.23': set('CODES > ok', 'code', '0') }),
]
