import type { PartLoaders } from '../../manifest/parts.ts'
import type { Screens } from '../../manifest/screens.ts'

export const activationScreens = {
  '/swap/activate': {
    title: 'title_swap_activate',
    load: () => import('./activate-screen.tsx'),
    hasContent: true,
  },
} as const satisfies Screens

export const activationParts = {
  activationBanner: () => import('./activation-banner.tsx'),
} satisfies Partial<PartLoaders>
