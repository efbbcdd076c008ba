import type { Screens } from '../../manifest/screens.ts'
import type { ShownReceipt } from './receipt-screen.tsx'

export const liquidationScreens = {
  '/stake/liquidate': {
    title: 'nav_liquidation_market',
    menu: { group: 'lending', place: 2, icon: 'scale' },
    load: () => import('./liquidation-screen.tsx'),
    hasContent: true,
  },
  '/stake/receipt': {
    title: 'title_stake_receipt',
    search: {} as ShownReceipt,
    load: () => import('./receipt-screen.tsx'),
  },
} as const satisfies Screens
