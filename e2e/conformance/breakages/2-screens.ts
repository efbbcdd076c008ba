import { drop, dropCall, literal, operator, read, returns, set } from '../../../scripts/rows/edits.ts'
import { breaksIn } from '../breaks-in.ts'

const WEB = 'apps/web/src'
const FEATURES = `${WEB}/features`

/** Section 2: screens and routes. A screen is broken in its manifest, a label in the menu's. */
export const breakages = [
  ...breaksIn(`${WEB}/app/app.screens.ts`, { '2.01': drop('', '/'), '2.02': drop('', '/language') }),
  ...breaksIn(`${FEATURES}/market/market.screens.ts`, {
    '2.03': drop('', '/markets/{name}'),
  }),
  ...breaksIn(`${WEB}/routes/route-tree.tsx`, {
    '2.39': set('routeOf', 'path', "path === '/language' ? '/language/$' : path.replace(/\\{(\\w+)\\}/, '$$$1')"),
  }),
  ...breaksIn(`${FEATURES}/node/node.screens.ts`, {
    '2.04': drop('', '/node'),
    '2.05': drop('', '/node/aboutUs'),
    '2.09': drop('', '/node/income'),
    '2.48': drop('/node/income', 'menu'),
    '2.50': drop('/node', 'menu'),
    '2.59': drop('/node/aboutUs', 'menu'),
  }),
  ...breaksIn(`${FEATURES}/blind-box/blind-box.screens.ts`, {
    '2.06': drop('', '/node/blindBox'),
    '2.07': drop('', '/node/claim'),
    '2.08': drop('', '/node/confirmation'),
    '2.47': drop('/node/blindBox', 'menu'),
  }),
  ...breaksIn(`${FEATURES}/rank/rank.screens.ts`, { '2.10': drop('', '/ranks'), '2.53': drop('/ranks', 'menu') }),
  ...breaksIn(`${FEATURES}/team/team.screens.ts`, {
    '2.11': drop('', '/referral'),
    '2.26': drop('', '/team'),
    '2.51': drop('/team', 'menu'),
    '2.54': drop('/referral', 'menu'),
  }),
  ...breaksIn(`${FEATURES}/rich/rich.screens.ts`, { '2.12': drop('', '/rich'), '2.13': drop('', '/rich/pledge') }),
  ...breaksIn(`${FEATURES}/stake/stake.screens.ts`, {
    '2.14': drop('', '/stake'),
    '2.15': drop('', '/stake/lend'),
    '2.16': drop('', '/stake/lend/add'),
    '2.17': drop('', '/stake/lend/confirm'),
    '2.18': drop('', '/stake/lend/orders'),
    '2.19': drop('', '/stake/lend/result'),
    '2.21': drop('', '/stake/pledge'),
    '2.22': drop('', '/stake/pledge/confirm'),
    '2.23': drop('', '/stake/pledge/result'),
    '2.58': drop('/stake', 'menu'),
  }),
  ...breaksIn(`${FEATURES}/liquidation/liquidation.screens.ts`, { '2.20': drop('', '/stake/liquidate') }),
  ...breaksIn(`${FEATURES}/activation/activation.screens.ts`, { '2.24': drop('', '/swap/activate') }),
  ...breaksIn(`${FEATURES}/swap/swap.screens.ts`, { '2.25': drop('', '/swap/exchange') }),
  ...breaksIn(`${FEATURES}/history/history.screens.ts`, {
    '2.27': drop('', '/transaction'),
    '2.32': drop('', '/wallet/logs'),
    '2.36': drop('', '/wallet/summary'),
    '2.55': drop('/transaction', 'menu'),
  }),
  ...breaksIn(`${FEATURES}/wallet/wallet.screens.ts`, {
    '2.28': drop('', '/wallet'),
    '2.29': drop('', '/wallet/buy'),
    '2.30': drop('', '/wallet/buyOrder'),
    '2.31': drop('', '/wallet/confirmation'),
    '2.33': drop('', '/wallet/sell'),
    '2.34': drop('', '/wallet/sellOrder'),
    '2.35': drop('', '/wallet/sendTransaction'),
    '2.52': drop('/wallet', 'menu'),
  }),
  ...breaksIn(`${FEATURES}/white/white.screens.ts`, { '2.37': drop('', '/white'), '2.60': drop('/white', 'menu') }),
  ...breaksIn(`${WEB}/app/frame.tsx`, { '2.45': set('Frame', 'className', "''") }),
  ...breaksIn(`${WEB}/components/error-page.tsx`, {
    '2.41': set('ErrorPage', 'status', '503'),
    '2.42': literal('ErrorPage > message', 404, 405),
    '2.43': read('ErrorPage > message', 'error_page_internal_title', 'error_page_not_found_title'),
    '2.44': read('ErrorPage', 'description', 'status'),
  }),
  ...breaksIn(`${WEB}/wallet/wallet-choices.ts`, { '2.65': set('choices', 'generic', 'first ? [first] : []') }),
  ...breaksIn(`${FEATURES}/blind-box/claim-confirm-screen.tsx`, { '2.67': read('', 'chosen', 'boxes') }),
  ...breaksIn('apps/server/src/features/blind-box/blind-box.handlers.ts', {
    '2.68': returns('shortAddress', 'address'),
  }),
  ...breaksIn(`${FEATURES}/blind-box/box-figures.tsx`, {
    '2.69': read('', 'network_power', 'contributors'),
    '2.70': read('', 'contributors', 'network_power'),
  }),
  ...breaksIn(`${FEATURES}/stake/market-overview.tsx`, { '2.71': read('PoolCard', 'supplied', 'borrowed') }),
  ...breaksIn(`${FEATURES}/stake/my-positions.tsx`, { '2.72': read('', 'collateral_amount', 'total_debt') }),
  ...breaksIn(`${FEATURES}/stake/loan-orders-screen.tsx`, { '2.73': read('', 'stake_repay', 'stake_borrow') }),
  ...breaksIn(`${FEATURES}/liquidation/order-card.tsx`, { '2.74': read('', 'interest', 'total_debt') }),
  ...breaksIn(`${FEATURES}/team/team-counts.tsx`, { '2.75': read('TeamCounts', 'direct', 'total') }),
  ...breaksIn(`${FEATURES}/team/invite-card.tsx`, { '2.76': set('SaveQrButton', 'link', "''") }),
  ...breaksIn(`${FEATURES}/wallet/asset-list.tsx`, {
    '2.77': returns('totalText', '{ amount: balance.available, decimals: 6 }'),
    '2.78': read('BalanceValues', 'available', 'locked'),
    '2.79': read('BalanceValues', 'locked', 'available'),
  }),
  ...breaksIn(`${FEATURES}/rich/star-hero.tsx`, { '2.86': drop('StarHero', 'onClick') }),
  ...breaksIn(`${FEATURES}/rich/earnings.tsx`, { '2.87': set('Earnings', 'amount', "'0'") }),
  ...breaksIn(`${FEATURES}/rich/child-list.tsx`, { '2.88': read('', 'level', 'star') }),
  ...breaksIn(`${FEATURES}/rich/earning-kline.tsx`, {
    '2.89': set('Candles', 'candles', 'candles.map((each) => ({ ...each, open: each.close }))'),
  }),
  ...breaksIn(`${WEB}/routes/hash-history.ts`, { '2.38': set('createHashHistory', 'createHref', '(path) => path') }),
  ...breaksIn(`${WEB}/components/not-found-page.tsx`, { '2.40': set('', 'path', "''") }),
  ...breaksIn(`${WEB}/app/app.screens.ts`, { '2.46': drop('/', 'menu') }),
  ...breaksIn(`${WEB}/app/menu-drawer.tsx`, {
    '2.49': read('MenuDrawer', 'nav_my_account', 'nav_settings'),
    '2.56': read('MenuDrawer', 'nav_settings', 'nav_my_account'),
    '2.61': literal('MenuDrawer', '/{-$locale}/language', '/{-$locale}/team'),
    '2.62': dropCall('MenuDrawer', 'requestSignIn'),
    '2.63': read('MenuDrawer', 'nav_disconnect', 'nav_connect'),
    '2.64': literal('MenuDrawer', '/{-$locale}/swap/activate', '/{-$locale}/team'),
  }),
  ...breaksIn(`${WEB}/app/navigation.ts`, { '2.57': literal('TABS', '/{-$locale}/stake', '/{-$locale}/node') }),
  ...breaksIn(`${FEATURES}/session/sign-in-sheet.tsx`, { '2.66': set('', 'isSelected', 'false') }),
  ...breaksIn('apps/server/src/features/activation/activate.ts', {
    '2.80': operator('settleActivation', 'credited', '>='),
    '2.81': dropCall('activateByBalance', 'activation'),
  }),
  ...breaksIn(`${WEB}/vault-payment/retrieve-sheet.tsx`, {
    '2.82': set('RetrieveForm', 'onChange', '() => {}'),
    '2.83': dropCall('RetrieveForm', 'find'),
  }),
  ...breaksIn(`${FEATURES}/history/history.screens.ts`, {
    '2.84': set('/wallet/logs', 'load', "() => import('./summary-screen.tsx')"),
    '2.85': set('/transaction', 'load', "() => import('./summary-screen.tsx')"),
  }),
]
