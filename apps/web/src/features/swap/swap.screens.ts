import type { Screens } from '../../manifest/screens.ts'
import type { SwapSearch } from './swap-search.ts'

export const swapScreens = {
  '/swap/exchange': {
    title: 'nav_swap',
    menu: { group: 'money', place: 3, icon: 'arrow-left-right' },
    search: {} as SwapSearch,
    load: () => import('./swap-screen.tsx'),
    hasContent: true,
  },
} as const satisfies Screens
