import { loadParts } from '../../manifest/parts.ts'
import type { Screens } from '../../manifest/screens.ts'
import { together } from '../../manifest/together.ts'

export const marketScreens = {
  '/markets/{name}': {
    title: 'market_list',
    load: () => together(import('./market-screen.tsx'), loadParts('priceAlerts')),
    hasContent: true,
  },
} as const satisfies Screens
