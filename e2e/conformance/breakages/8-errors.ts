import { drop, dropCall, literal, never, read, returns, set } from '../../../scripts/rows/edits.ts'
import { breaksIn } from '../breaks-in.ts'

const SWAP = 'apps/server/src/features/swap/execute-swap.ts'
const WEB = 'apps/web/src'
const WALLET = `${WEB}/wallet`

/** RPC codes without a meaning for people: the details say what is wrong. */
const WITHOUT_MEANING = ['8.32', '8.33', '8.35', '8.36', '8.37', '8.38', '8.40', '8.43']

/** Section 8: error catalogue. */
export const breakages = [
  ...breaksIn(`${WEB}/api/client.ts`, { '8.02': dropCall('exchange', 'forgetSession') }),
  ...breaksIn(`${WEB}/api/query-client.ts`, { '8.01': dropCall('onError', 'showFailure') }),
  ...breaksIn(SWAP, {
    '8.12': literal('checkQuote', 'balance_not_enough', 'rt_balance_not_enough'),
    '8.13': literal('checkQuote', 'rt_balance_not_enough', 'balance_not_enough'),
    '8.14': never('refuseIfClosed', 'suspended_at'),
  }),
  ...breaksIn(`${WEB}/app/missing-chunk.ts`, {
    '8.17': dropCall('reloadWherePossible', 'reload'),
    '8.18': dropCall('reloadWherePossible', 'mayReload'),
  }),
  ...breaksIn(`${WEB}/routes/router.ts`, { '8.19': drop('createAppRouter > router', 'protocolAllowlist') }),
  ...breaksIn('packages/ui/src/components/external-link.tsx', {
    '8.20': literal('externalUrl', 'https:', 'javascript:'),
  }),
  ...breaksIn(`${WALLET}/wallet-error.ts`, {
    '8.05': never('walletErrorText', 'details'),
    '8.06': read('walletErrorText', 'shortMessage', 'message'),
    '8.07': read('walletErrorText', 'app_something_went_wrong', 'connector_busy'),
    '8.21': drop('BY_NAME', 'ChainNotConfiguredError'),
    '8.22': drop('BY_NAME', 'ConnectorAlreadyConnectedError'),
    '8.23': drop('BY_NAME', 'ConnectorNotConnectedError'),
    '8.24': drop('BY_NAME', 'ProviderNotFoundError'),
    '8.25': drop('BY_NAME', 'SwitchChainNotSupportedError'),
    '8.26': drop('BY_NAME', 'ConnectorAccountNotFoundError'),
    '8.27': drop('BY_NAME', 'ConnectorChainMismatchError'),
    '8.28': drop('BY_NAME', 'UrlRequiredError'),
    '8.29': drop('BY_NAME', 'TimeoutError'),
    '8.30': drop('BY_NAME', 'AccountNotFoundError'),
    '8.31': never('meaningOf', 'HttpRequestError'),
    '8.34': drop('BY_CODE', '-32601'),
    '8.39': drop('BY_CODE', '-32002'),
    '8.41': drop('BY_CODE', '-32004'),
    '8.42': drop('BY_CODE', '-32005'),
    '8.44': drop('REFUSED_CODES', '4001'),
    '8.45': drop('BY_CODE', '4100'),
    '8.46': drop('BY_CODE', '4200'),
    '8.47': drop('BY_CODE', '4900'),
    '8.48': drop('BY_CODE', '4901'),
    '8.49': drop('BY_CODE', '4902'),
    '8.50': drop('REFUSED_CODES', '5000'),
    ...Object.fromEntries(WITHOUT_MEANING.map((row) => [row, never('walletErrorText', 'details')])),
  }),
  ...breaksIn(`${WEB}/features/session/sign-in.ts`, {
    '8.03': read('prepare', 'errorText', 'Boolean'),
    '8.04': read('confirmSigning', 'errorText', 'Boolean'),
    '8.10': read('prepare', 'session_invalid_account', 'session_signature_failed'),
  }),
  ...breaksIn(`${WEB}/features/session/sign-in-sheet.tsx`, { '8.09': read('', 'connector_none', 'connector_choose') }),
  ...breaksIn(`${WEB}/vault-payment/retrieve-sheet.tsx`, {
    '8.11': read('RetrieveForm', 'payment_retrieve_invalid', 'payment_retrieve_hint'),
  }),
  ...breaksIn(`${WEB}/components/not-found-page.tsx`, { '8.15': set('', 'path', "''") }),
  ...breaksIn(`${WEB}/components/error-page.tsx`, { '8.16': returns('ErrorPage', 'null') }),
  ...breaksIn('packages/ui/src/i18n/error-text.ts', { '8.08': dropCall('', 'app_failed') }),
]
