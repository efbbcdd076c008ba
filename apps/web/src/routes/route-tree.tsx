import { createRootRoute, createRoute, lazyRouteComponent, Outlet, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { FatalErrorPage, NotFoundPage } from '../app/error-page.tsx'
import { Frame } from '../app/frame.tsx'
import { HomeScreen } from '../app/home/home-screen.tsx'
import { loadPayload } from '../app/payload.ts'
import { useReadSearch } from '../app/read-search.ts'
import { OWN_SCREENS, type ScreenPath } from '../app/screens.ts'
import type { ChosenBoxes } from '../features/blind-box/claim-search.ts'
import type { LogFilter } from '../features/history/log-filter.ts'
import { readPeriod } from '../features/history/summary-period.ts'
import type { RankSearch } from '../features/rank/rank-search.ts'
import type {
  CollateralDraft,
  LoanDraft,
  OrdersFilter,
  PledgeDraft,
  ShownLoan,
} from '../features/stake/stake-search.ts'
import { readDraft } from '../features/wallet/transfer-draft.ts'
import { showLocale } from '../i18n/locale.ts'
import { localeOfPath } from '../i18n/locale-path.ts'
import { readActivity, readAsset, readReceipt, readSection, readShown, readSwap } from './search.ts'

const rootRoute = createRootRoute({
  beforeLoad: ({ location }) => showLocale(localeOfPath(location.pathname)),
  component: Root,
  notFoundComponent: NotFoundPage,
  errorComponent: FatalErrorPage,
})

/** Every screen is at the bare path and under `/en`; no other first segment is a language. */
const localeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '{-$locale}',
  params: {
    parse: (params): { locale?: 'en' } | false => {
      if (params.locale === undefined) return {}
      return params.locale === 'en' ? { locale: 'en' } : false
    },
  },
})

const under = { getParentRoute: () => localeRoute } as const

const screens = {
  // Home is the first paint: its code comes with the entry, that of each other screen when its link is pointed at.
  '/': createRoute({ ...under, path: '/', component: HomeScreen }),
  '/language': createRoute({
    ...under,
    path: '/language',
    component: lazyRouteComponent(() => import('../app/language-screen.tsx'), 'LanguageScreen'),
  }),
  '/markets/{name}': createRoute({
    ...under,
    path: '/markets/$name',
    component: lazyRouteComponent(() => import('./market.tsx')),
  }),
  '/node': createRoute({
    ...under,
    path: '/node',
    component: lazyRouteComponent(() => import('../features/node/node-screen.tsx'), 'NodeScreen'),
  }),
  '/node/aboutUs': createRoute({
    ...under,
    path: '/node/aboutUs',
    component: lazyRouteComponent(() => import('./about-us.tsx')),
  }),
  '/node/blindBox': createRoute({
    ...under,
    path: '/node/blindBox',
    component: lazyRouteComponent(() => import('../features/blind-box/blind-box-screen.tsx'), 'BlindBoxScreen'),
  }),
  '/node/claim': createRoute({
    ...under,
    path: '/node/claim',
    component: lazyRouteComponent(() => import('./node-box.tsx'), 'ClaimRoute'),
  }),
  '/node/confirmation': createRoute({
    ...under,
    path: '/node/confirmation',
    validateSearch: unread<ChosenBoxes>,
    component: lazyRouteComponent(() => import('./node-box.tsx'), 'ClaimConfirmRoute'),
  }),
  '/node/income': createRoute({
    ...under,
    path: '/node/income',
    component: lazyRouteComponent(() => import('./node-box.tsx'), 'IncomeRoute'),
  }),
  '/ranks': createRoute({
    ...under,
    path: '/ranks',
    validateSearch: unread<RankSearch>,
    component: lazyRouteComponent(() => import('./ranks.tsx')),
  }),
  '/referral': createRoute({
    ...under,
    path: '/referral',
    component: lazyRouteComponent(() => import('../features/team/referral-screen.tsx'), 'ReferralScreen'),
  }),
  '/rich': createRoute({
    ...under,
    path: '/rich',
    component: lazyRouteComponent(() => import('../features/rich/rich-screen.tsx'), 'RichScreen'),
  }),
  '/rich/pledge': createRoute({
    ...under,
    path: '/rich/pledge',
    component: lazyRouteComponent(() => import('../features/rich/deposit-screen.tsx'), 'DepositScreen'),
  }),
  '/stake': createRoute({ ...under, path: '/stake', component: lazyRouteComponent(() => import('./stake.tsx')) }),
  '/stake/lend': createRoute({
    ...under,
    path: '/stake/lend',
    validateSearch: unread<LoanDraft>,
    component: lazyRouteComponent(() => import('./stake-lend.tsx'), 'LendRoute'),
  }),
  '/stake/lend/add': createRoute({
    ...under,
    path: '/stake/lend/add',
    validateSearch: unread<CollateralDraft>,
    component: lazyRouteComponent(() => import('./stake-orders.tsx'), 'CollateralRoute'),
  }),
  '/stake/lend/confirm': createRoute({
    ...under,
    path: '/stake/lend/confirm',
    validateSearch: unread<LoanDraft>,
    component: lazyRouteComponent(() => import('./stake-lend.tsx'), 'LendConfirmRoute'),
  }),
  '/stake/lend/orders': createRoute({
    ...under,
    path: '/stake/lend/orders',
    validateSearch: unread<OrdersFilter>,
    component: lazyRouteComponent(() => import('./stake-orders.tsx'), 'LoanOrdersRoute'),
  }),
  '/stake/lend/result': createRoute({
    ...under,
    path: '/stake/lend/result',
    validateSearch: unread<ShownLoan>,
    component: lazyRouteComponent(() => import('./stake-orders.tsx'), 'LendResultRoute'),
  }),
  '/stake/pledge': createRoute({
    ...under,
    path: '/stake/pledge',
    validateSearch: unread<PledgeDraft>,
    component: lazyRouteComponent(() => import('./stake-pledge.tsx'), 'PledgeRoute'),
  }),
  '/stake/pledge/confirm': createRoute({
    ...under,
    path: '/stake/pledge/confirm',
    validateSearch: unread<PledgeDraft>,
    component: lazyRouteComponent(() => import('./stake-pledge.tsx'), 'PledgeConfirmRoute'),
  }),
  '/stake/pledge/result': createRoute({
    ...under,
    path: '/stake/pledge/result',
    component: lazyRouteComponent(() => import('./stake-pledge.tsx'), 'PledgeResultRoute'),
  }),
  '/stake/liquidate': createRoute({
    ...under,
    path: '/stake/liquidate',
    component: lazyRouteComponent(() => import('../features/liquidation/liquidation-screen.tsx'), 'LiquidationScreen'),
  }),
  '/stake/receipt': createRoute({
    ...under,
    path: '/stake/receipt',
    validateSearch: readReceipt,
    component: lazySearchScreen(readReceipt, async () => {
      const { ReceiptScreen } = await import('../features/liquidation/receipt-screen.tsx')
      return ({ order, part }) => <ReceiptScreen order={order} part={part} />
    }),
  }),
  '/swap/activate': createRoute({
    ...under,
    path: '/swap/activate',
    component: lazyRouteComponent(() => import('../features/activation/activate-screen.tsx'), 'ActivateScreen'),
  }),
  '/swap/exchange': createRoute({
    ...under,
    path: '/swap/exchange',
    validateSearch: readSwap,
    component: lazyRouteComponent(() => import('./exchange.tsx')),
  }),
  '/team': createRoute({
    ...under,
    path: '/team',
    component: lazyRouteComponent(() => import('../features/team/team-screen.tsx'), 'TeamScreen'),
  }),
  '/transaction': createRoute({
    ...under,
    path: '/transaction',
    component: lazyRouteComponent(() => import('../features/history/transactions-screen.tsx'), 'TransactionsScreen'),
  }),
  '/wallet': createRoute({ ...under, path: '/wallet', component: lazyRouteComponent(() => import('./wallet.tsx')) }),
  '/wallet/activity': createRoute({
    ...under,
    path: '/wallet/activity',
    validateSearch: readActivity,
    component: lazySearchScreen(readActivity, async () => (await import('./wallet-activity.tsx')).renderActivity),
  }),
  '/wallet/asset': createRoute({
    ...under,
    path: '/wallet/asset',
    validateSearch: readAsset,
    component: lazySearchScreen(readAsset, async () => (await import('./wallet-asset.tsx')).renderAsset),
  }),
  '/wallet/buy': createRoute({
    ...under,
    path: '/wallet/buy',
    validateSearch: readDraft,
    component: lazySearchScreen(readDraft, async () => {
      const { TransferInScreen } = await import('../features/wallet/transfer-in-screen.tsx')
      return (draft) => <TransferInScreen draft={draft} />
    }),
  }),
  '/wallet/buyOrder': createRoute({
    ...under,
    path: '/wallet/buyOrder',
    component: lazyRouteComponent(() => import('../features/wallet/transfer-orders-screen.tsx'), 'TransfersInScreen'),
  }),
  '/wallet/confirmation': createRoute({
    ...under,
    path: '/wallet/confirmation',
    validateSearch: readDraft,
    component: lazySearchScreen(readDraft, async () => {
      const { ConfirmationScreen } = await import('../features/wallet/confirmation-screen.tsx')
      return (draft) => <ConfirmationScreen draft={draft} />
    }),
  }),
  '/wallet/logs': createRoute({
    ...under,
    path: '/wallet/logs',
    // Read where it is shown: the code of the reader would come with home's.
    validateSearch: (search: Record<string, unknown>): LogFilter => search as LogFilter,
    component: lazySearchScreen(
      (search) => search,
      async () => {
        const [{ LogsScreen }, { readLogFilter }] = await Promise.all([
          import('../features/history/logs-screen.tsx'),
          import('../features/history/log-filter.ts'),
        ])
        return (search) => <LogsScreen filter={readLogFilter(search)} />
      },
    ),
  }),
  '/wallet/sell': createRoute({
    ...under,
    path: '/wallet/sell',
    validateSearch: readDraft,
    component: lazySearchScreen(readDraft, async () => {
      const { TransferOutScreen } = await import('../features/wallet/transfer-out-screen.tsx')
      return (draft) => <TransferOutScreen draft={draft} />
    }),
  }),
  '/wallet/sellOrder': createRoute({
    ...under,
    path: '/wallet/sellOrder',
    component: lazyRouteComponent(() => import('../features/wallet/transfer-orders-screen.tsx'), 'TransfersOutScreen'),
  }),
  '/wallet/sendTransaction': createRoute({
    ...under,
    path: '/wallet/sendTransaction',
    validateSearch: readShown,
    component: lazySearchScreen(readShown, async () => {
      const { SendTransactionScreen } = await import('../features/wallet/send-transaction-screen.tsx')
      return (shown) => <SendTransactionScreen shown={shown} />
    }),
  }),
  '/wallet/summary': createRoute({
    ...under,
    path: '/wallet/summary',
    validateSearch: readPeriod,
    component: lazySearchScreen(readPeriod, async () => {
      const { SummaryScreen } = await import('../features/history/summary-screen.tsx')
      return ({ period }) => <SummaryScreen period={period} />
    }),
  }),
  '/white': createRoute({
    ...under,
    path: '/white',
    validateSearch: readSection,
    component: lazyRouteComponent(() => import('./white.tsx')),
  }),
} satisfies Record<ScreenPath, unknown>

/** Types the query of a path. Its reader comes with the screen: here, the code would come with home's. */
function unread<Search>(search: Record<string, unknown>): Search {
  return search as Search
}

for (const path of Object.keys(screens) as ScreenPath[]) {
  // Screens beyond the specification have no content file: the request would be a 404 in the console.
  if (!(path in OWN_SCREENS)) screens[path].options.loader = loadPayload(path)
}

export const routeTree = rootRoute.addChildren([localeRoute.addChildren(Object.values(screens))])

/** A lazy screen that gets the valid part of its path's query. */
function lazySearchScreen<Search>(
  read: (search: Record<string, unknown>) => Search,
  load: () => Promise<(search: Search) => ReactNode>,
) {
  return lazyRouteComponent(async () => {
    const render = await load()
    return { default: () => render(useReadSearch(read)) }
  })
}

/** Renders again whenever the language changes, and each screen with it: see `redrawnWithLocale`. */
function Root() {
  const locale = useLocation({ select: ({ pathname }) => localeOfPath(pathname) })
  // Also where nothing matched: the router runs no `beforeLoad` from one unknown path to the next.
  showLocale(locale)
  return (
    <Frame>
      <Outlet />
    </Frame>
  )
}
