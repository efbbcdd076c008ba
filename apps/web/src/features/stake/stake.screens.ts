import type { Screens } from '../../manifest/screens.ts'
import type { CollateralDraft, LoanDraft, OrdersFilter, PledgeDraft, ShownLoan } from './stake-search.ts'

export const stakeScreens = {
  '/stake': {
    title: 'nav_staking',
    menu: { group: 'lending', place: 1, icon: 'landmark' },
    load: () => import('./stake-screen.tsx'),
    hasContent: true,
  },
  '/stake/lend': {
    title: 'title_stake_lend',
    search: {} as LoanDraft,
    load: () => import('./lend-screen.tsx'),
    hasContent: true,
  },
  '/stake/lend/add': {
    title: 'title_stake_lend_add',
    search: {} as CollateralDraft,
    load: () => import('./collateral-screen.tsx'),
    hasContent: true,
  },
  '/stake/lend/confirm': {
    title: 'title_stake_lend_confirm',
    search: {} as LoanDraft,
    load: () => import('./lend-confirm-screen.tsx'),
    hasContent: true,
  },
  '/stake/lend/orders': {
    title: 'title_stake_lend_orders',
    search: {} as OrdersFilter,
    load: () => import('./loan-orders-screen.tsx'),
    hasContent: true,
  },
  '/stake/lend/result': {
    title: 'title_stake_lend_result',
    search: {} as ShownLoan,
    load: () => import('./lend-result-screen.tsx'),
    hasContent: true,
  },
  '/stake/pledge': {
    title: 'title_stake_pledge',
    search: {} as PledgeDraft,
    load: () => import('./pledge-screen.tsx'),
    hasContent: true,
  },
  '/stake/pledge/confirm': {
    title: 'title_stake_pledge_confirm',
    search: {} as PledgeDraft,
    load: () => import('./pledge-confirm-screen.tsx'),
    hasContent: true,
  },
  '/stake/pledge/result': {
    title: 'title_stake_pledge_result',
    load: () => import('./pledge-result-screen.tsx'),
    hasContent: true,
  },
} as const satisfies Screens
