/** A small change of the source that removes the behaviour of one row of the specification. */
export interface Breakage {
  /** The row, such as `4.09`. */
  readonly row: string
  readonly file: string
  /** Occurs in the file exactly once. */
  readonly find: string
  readonly replace: string
}

const WEB = 'apps/web/src'
const WALLET = `${WEB}/wallet`
const SERVER = 'apps/server/src'
const SWAP = `${SERVER}/features/swap`
const TEXTS = `${WALLET}/connector.messages.en.json`

/** Breakages in every section of the specification. `scripts/break-rows.ts` shows that the tests of the row then fail. */
export const BREAKAGES: readonly Breakage[] = [
  // The product
  breaks('1.01', `${WEB}/boot/start-path.ts`, "'en' : preferred", "'en' : 'en'"),
  breaks('1.02', 'packages/ui/src/i18n/locale-path.ts', "? 'en' : 'zh-HK'", "? 'zh-HK' : 'zh-HK'"),
  breaks('1.04', `${SERVER}/features/activation/activate.ts`, 'order.credited < order.amount', 'true'),
  breaks('1.05', `${SERVER}/domain/members/activate-member.ts`, 'activated_at: now', 'activated_at: null'),
  breaks('1.06', `${SWAP}/execute-swap.ts`, 'amount_out: quote.amountOut,', 'amount_out: quote.amountIn,'),

  // Screens
  breaks('2.39', `${WEB}/features/market/market.screens.ts`, "'/markets/{name}'", "'/markets/name'"),
  breaks('2.41', `${WEB}/components/error-page.tsx`, 'status = 500', 'status = 503'),
  breaks('2.42', `${WEB}/components/error-page.tsx`, 'status === 404 ? m', 'status === 405 ? m'),
  breaks('2.44', `${WEB}/components/error-page.tsx`, '{description}</p>', '</p>'),
  breaks('2.65', `${WALLET}/wallet-choices.ts`, 'first && announced.length === 0', 'first'),
  breaks(
    '2.71',
    `${WEB}/features/stake/market-overview.tsx`,
    'value: amount(pool.supplied)',
    'value: amount(pool.borrowed)',
  ),
  breaks('2.72', `${WEB}/features/stake/my-positions.tsx`, '{loan.collateral_amount}', '{loan.total_debt}'),
  breaks('2.73', `${WEB}/features/stake/loan-orders-screen.tsx`, '{m.stake_repay()}', '{m.stake_borrow()}'),
  breaks('2.74', `${WEB}/features/liquidation/order-card.tsx`, 'amount={order.interest}', 'amount={order.total_debt}'),
  breaks('2.75', `${WEB}/features/team/team-counts.tsx`, 'total={direct}', 'total={total}'),

  // Entities
  breaks('3.01', `${WALLET}/wallet-config.ts`, 'STORED_VERSION = 2', 'STORED_VERSION = 3'),
  breaks('3.06', `${WALLET}/resume-connection.ts`, 'await reconnect(config, { connectors })', 'disconnectHere(config)'),
  breaks('3.13', `${SWAP}/quote-swap.ts`, 'quote.amountOutAtMid })', 'quote.amountOut })'),
  breaks('3.14', `${SERVER}/features/market/market.handlers.ts`, "= 'BNBUSDT'", "= 'ETHUSDT'"),
  breaks('3.17', `${WEB}/features/stake/loan-facts.tsx`, 'm.stake_status_completed()', 'm.stake_status_liquidated()'),
  breaks('3.18', `${WEB}/features/stake/loan-facts.tsx`, 'borrowed(loan.interest_due)', 'borrowed(loan.total_debt)'),
  breaks('3.19', `${WEB}/features/stake/pledge-facts.tsx`, 'amount(pledge.estimated_earnings)', "amount('0')"),
  breaks('3.20', `${WEB}/features/wallet/wallet.messages.en.json`, 'Rollup is {min}', 'Rollup is small'),
  breaks('3.21', `${SERVER}/public-config.ts`, 'chains: [chain, ...', 'chains: [...'),
  breaks('3.22', `${SERVER}/public-config.ts`, 'id: 97', 'id: 98'),
  breaks('3.24', `${SERVER}/public-config.ts`, 'symbol, decimals: 18', 'symbol, decimals: 8'),
  breaks('3.25', 'packages/ui/src/browser/color-mode.ts', 'colorModeStore.set(mode)', ''),

  // States
  breaks('4.06', `${WEB}/api/client.ts`, 'token === token) forgetSession()', 'token === token) {}'),
  breaks('4.13', `${WALLET}/resume-connection.ts`, 'else if (allAppeared) disconnectHere(config)', ''),
  breaks('4.17', `${WALLET}/browser-connector.ts`, '      onConnect() {},\n', ''),
  breaks('4.19', `${WALLET}/browser-connector.ts`, 'throw new UserRejectedRequestError(error as Error)', 'throw error'),
  breaks('4.21', `${WALLET}/wallet-core.ts`, '    keepOnRequiredChain()\n', ''),
  breaks('4.26', 'packages/ui/src/i18n/preferred-locale.ts', "saved === 'zh-HK' || saved === 'en'", 'false'),
  breaks('4.27', 'packages/ui/src/i18n/preferred-locale.ts', "if (/^en\\b/i.test(language)) return 'en'", ''),
  breaks('4.29', 'packages/ui/src/i18n/preferred-locale.ts', 'samesite=lax', 'samesite=none'),
  breaks(
    '4.31',
    'packages/ui/src/browser/color-mode.ts',
    "addEventListener('change', apply)",
    "addEventListener('change', () => {})",
  ),
  breaks(
    '4.33',
    'packages/ui/src/browser/color-mode.ts',
    "if (mode === 'system') {",
    "if (mode === 'system' && false) {",
  ),

  // Validation
  breaks('5.07', `${SERVER}/features/stake/open-loan.ts`, 'if (pool.cash < borrow.units)', 'if (false)'),
  breaks(
    '5.10',
    `${SWAP}/execute-swap.ts`,
    "sold === 'RT' ? 'rt_balance_not_enough'",
    "sold === 'RT' ? 'balance_not_enough'",
  ),
  breaks('5.12', `${SWAP}/execute-swap.ts`, '  requireActivated(state, userId)\n', ''),
  breaks('5.14', `${WALLET}/guarded-provider.ts`, 'return getAddress(account)', 'return account'),
  breaks(
    '5.15',
    `${WALLET}/guarded-provider.ts`,
    'throw new Error(m.connector_address_not_hex())',
    "throw new Error('bad')",
  ),
  breaks('5.16', `${WALLET}/guarded-provider.ts`, 'if (isMixed && !isAddress(account))', 'if (false)'),
  breaks('5.17', `${WALLET}/wallet-config.ts`, 'stored.version === from ? to : 0', '0'),
  breaks('5.20', `${WEB}/api/form-body.ts`, 'JSON.stringify(element)', 'String(element)'),
  breaks('5.22', `${WEB}/features/swap/swap-details.tsx`, 'PREVIEW_DECIMALS = 8', 'PREVIEW_DECIMALS = 6'),

  // Roles
  breaks('6.01', `${WEB}/api/client.ts`, '&& !(await requestSignIn())', '&& false'),
  breaks('6.02', `${WEB}/api/client.ts`, "if (token) headers['XX-Token'] = token", ''),
  breaks('6.03', `${SWAP}/execute-swap.ts`, '  requireActivated(state, userId)\n', ''),

  // Calls
  breaks('7.01', `${WEB}/api/api-base.ts`, "import.meta.env.VITE_API_BASE ?? '/api'", "'/api' as string"),
  breaks('7.02', `${WEB}/api/client.ts`, "'XX-Device-Type': 'web'", "'XX-Device-Type': 'h5'"),
  breaks('7.06', `${WEB}/api/client.ts`, "inQuery ? queryText(payload) : ''", "inQuery ? '' : ''"),
  breaks('7.17', 'packages/api/src/swap.routes.ts', "path: '/SwapPool/doSwap'", "path: '/SwapPool/swap'"),
  breaks(
    '7.19',
    'packages/api/src/swap.routes.ts',
    'transaction_id: optional(id), idem',
    'swap_id: optional(id), idem',
  ),
  breaks('7.22', 'packages/api/src/market.routes.ts', "path: '/spot/kline'", "path: '/spot/candles'"),
  breaks('7.25', `${WEB}/api/client.ts`, "response.headers.has('content-disposition')", 'false'),
  breaks('7.34', `${WALLET}/guarded-provider.ts`, "  'wallet_addEthereumChain',\n", ''),
  breaks('7.36', `${WALLET}/guarded-provider.ts`, "  'personal_sign',\n", ''),
  breaks('7.38', `${WALLET}/transport.ts`, 'batch: { batchSize }, ', ''),

  // Errors
  breaks('8.06', `${WALLET}/wallet-error.ts`, 'return error.shortMessage || m', 'return error.message || m'),
  breaks('8.07', `${WALLET}/wallet-error.ts`, ': m.app_something_went_wrong()\n}', ": ''\n}"),
  breaks('8.19', `${WEB}/routes/router.ts`, '    protocolAllowlist: [],\n', ''),
  breaks(
    '8.20',
    'packages/ui/src/components/external-link.tsx',
    "protocol === 'https:' ||",
    "protocol !== 'https:' ||",
  ),
  breaks('8.21', `${WALLET}/wallet-error.ts`, '  ChainNotConfiguredError: m.connector_chain_not_configured,\n', ''),
  breaks('8.23', TEXTS, 'Connector not connected.', 'Not connected.'),
  breaks('8.25', TEXTS, 'does not support programmatic chain switching', 'cannot switch'),
  breaks('8.26', `${WALLET}/wallet-error.ts`, '  ConnectorAccountNotFoundError: m.connector_account_not_found,\n', ''),
  breaks('8.27', TEXTS, 'The current chain of the connector does not', 'The chain does not'),
  breaks('8.30', `${WALLET}/wallet-error.ts`, '  AccountNotFoundError: m.connector_no_account,\n', ''),
  breaks(
    '8.32',
    `${WALLET}/wallet-error.ts`,
    "cause.details !== '') return cause.details",
    "cause.details !== '') break",
  ),

  // Limits
  breaks('9.01', 'packages/ui/src/i18n/preferred-locale.ts', "  }\n  return 'zh-HK'", "  }\n  return 'en'"),
  breaks('9.11', `${SERVER}/public-config.ts`, 'id !== chain.id', 'id > 90'),
  breaks('9.12', `${WALLET}/transport.ts`, 'timeoutMs: 10_000', 'timeoutMs: 20_000'),
  breaks('9.15', `${WALLET}/transport.ts`, '[403, 408,', '[408,'),
  breaks('9.23', `${WALLET}/transport.ts`, '[-1, -32005,', '[-32005,'),
  breaks('9.26', `${WALLET}/wallet-config.ts`, 'pollingInterval: POLLING_INTERVAL_MS', 'pollingInterval: 5_000'),
  breaks('9.27', `${WALLET}/wallet-config.ts`, '    cacheTime: POLLING_INTERVAL_MS,\n', '    cacheTime: 0,\n'),
  breaks('9.36', `${WEB}/api/query-client.ts`, 'RETRY_MAX_DELAY_MS = 30_000', 'RETRY_MAX_DELAY_MS = 60_000'),
  breaks('9.38', `${WEB}/browser/page-reload.ts`, 'WINDOW_MS = 10_000', 'WINDOW_MS = 20_000'),
  breaks('9.39', 'packages/ui/src/icons/icon-loader.ts', 'APP_WAIT_MS = 1_500', 'APP_WAIT_MS = 3_000'),
  breaks('9.42', 'packages/ui/src/icons/icon-loader.ts', 'HOST_ROTATION_MS = 750', 'HOST_ROTATION_MS = 1_750'),
  breaks('9.43', 'packages/ui/src/icons/icon-cache.ts', 'EXPIRY_MS = 60 *', 'EXPIRY_MS = 90 *'),
  breaks('9.44', 'packages/ui/src/icons/icon-cache.ts', 'LIMIT = 50', 'LIMIT = 60'),
  breaks(
    '9.45',
    `${SERVER}/features/activation/activate.ts`,
    "if (!state.open) throw refusal('not_open'",
    "if (false as boolean) throw refusal('not_open'",
  ),
]

function breaks(row: string, file: string, find: string, replace: string): Breakage {
  return { row, file, find, replace }
}
