import type { Screens } from '../../manifest/screens.ts'
import { loadSlot } from '../../manifest/slots.ts'
import { together } from '../../manifest/together.ts'
import type { SwapSearch } from './swap-search.ts'

export const swapScreens = {
  '/swap/exchange': {
    title: 'nav_swap',
    menu: { group: 'money', place: 3, icon: 'arrow-left-right' },
    search: {} as SwapSearch,
    load: () => together(import('./swap-screen.tsx'), loadSlot('moreWaysToSwap')),
    hasContent: true,
  },
} as const satisfies Screens
