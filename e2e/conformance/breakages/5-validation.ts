import { dropCall, literal, never, read, set } from '../../../scripts/rows/edits.ts'
import { breaksIn } from '../breaks-in.ts'

const SWAP = 'apps/server/src/features/swap'
const WEB = 'apps/web/src'
const WALLET = `${WEB}/wallet`

/** Section 5: validation rules. */
export const breakages = [
  ...breaksIn(`${SWAP}/execute-swap.ts`, {
    '5.06': never('checkQuote', 'balance'),
    '5.12': dropCall('refuseIfClosed', 'requireActivated'),
  }),
  ...breaksIn('apps/server/src/features/stake/open-loan.ts', { '5.07': never('openLoan', 'cash') }),
  ...breaksIn(`${SWAP}/execute-swap.ts`, {
    '5.10': literal('checkQuote', 'rt_balance_not_enough', 'balance_not_enough'),
  }),
  ...breaksIn(`${WALLET}/guarded-provider.ts`, {
    '5.15': never('checkedAddress', 'isAddress'),
    '5.16': never('checkedAddress', 'isMixed'),
  }),
  ...breaksIn(`${WALLET}/wallet-config.ts`, { '5.17': set('createWalletConfig', 'chains', '[required]') }),
  ...breaksIn(`${WALLET}/wallet-requests.ts`, {
    '5.18': dropCall('walletRequests > signMessage', 'signMessage'),
    '5.19': dropCall('onRequiredChain', 'getConnectorClient'),
  }),
  ...breaksIn(`${WEB}/api/form-body.ts`, { '5.20': dropCall('queryText', 'stringify') }),
  ...breaksIn(`${WEB}/features/swap/swap-details.tsx`, {
    '5.21': set('', 'PREVIEW_AMOUNT', "'2'"),
    '5.22': set('', 'PREVIEW_DECIMALS', '6'),
  }),
  ...breaksIn(`${WEB}/api/client.ts`, { '5.04': read('requireSession', 'session_connect_first', 'session_sign_in') }),
  ...breaksIn(`${WEB}/features/session/sign-in-sheet.tsx`, { '5.01': read('', 'connector_none', 'connector_choose') }),
  ...breaksIn(`${WEB}/features/session/sign-in.ts`, {
    '5.03': read('confirmSigning', 'session_signature_failed', 'session_invalid_account'),
  }),
  ...breaksIn(`${WEB}/features/wallet/transfer-amount.ts`, {
    '5.05': literal('amountProblem', 'missing', 'invalid'),
    '5.08': never('amountProblem', 'min'),
    '5.09': never('amountProblem', 'max'),
  }),
  ...breaksIn(`${WEB}/vault-payment/retrieve-sheet.tsx`, {
    '5.11': read('RetrieveForm', 'payment_retrieve_invalid', 'payment_retrieve_hint'),
  }),
  ...breaksIn(`${WALLET}/browser-connector.ts`, {
    '5.02': read('connect', 'session_invalid_account', 'session_signature_failed'),
  }),
  ...breaksIn('apps/server/src/platform/ledger/address.ts', {
    '5.13': never('parseAddress', 'test'),
    '5.14': never('parseAddress', 'mixed'),
  }),
]
