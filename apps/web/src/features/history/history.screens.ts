import { loadParts, type PartLoaders } from '../../manifest/parts.ts'
import type { Screens } from '../../manifest/screens.ts'
import { loadSlot } from '../../manifest/slots.ts'
import { together } from '../../manifest/together.ts'
import { loadWords } from '../../manifest/words.ts'
import type { ActivityFilter } from './activity-screen.tsx'
import type { LogFilter } from './log-filter.ts'
import type { SummarySearch } from './summary-period.ts'

export const historyScreens = {
  '/transaction': {
    title: 'nav_transaction_history',
    menu: { group: 'money', place: 4, icon: 'history' },
    load: () => import('./transactions-screen.tsx'),
    hasContent: true,
  },
  '/wallet/activity': {
    title: 'title_wallet_activity',
    search: {} as ActivityFilter,
    load: () =>
      together(import('./activity-screen.tsx'), loadWords(), loadParts('pendingTransfers'), loadSlot('swapsToCome')),
  },
  '/wallet/logs': {
    title: 'title_wallet_logs',
    search: {} as LogFilter,
    load: () => together(import('./logs-screen.tsx'), loadWords()),
    hasContent: true,
  },
  '/wallet/summary': {
    title: 'title_wallet_summary',
    search: {} as SummarySearch,
    load: () => import('./summary-screen.tsx'),
    hasContent: true,
  },
} as const satisfies Screens

export const historyParts = {
  activityViews: () => import('./activity-views.tsx'),
  assetActivity: () => together(import('./asset-activity.tsx'), loadWords()),
  records: () => import('./records.tsx'),
  walletValue: () => import('./wallet-value.tsx'),
} satisfies Partial<PartLoaders>
