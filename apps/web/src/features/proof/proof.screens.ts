import type { PartLoaders } from '../../manifest/parts.ts'
import type { Screens } from '../../manifest/screens.ts'
import type { ShownHeader } from './header-screen.tsx'

export const proofScreens = {
  '/wallet/header': {
    title: 'title_wallet_header',
    search: {} as ShownHeader,
    load: () => import('./header-screen.tsx'),
  },
} as const satisfies Screens

export const proofParts = {
  balanceCheck: () => import('./balance/balance-slot.tsx'),
  takenWithExit: () => import('./balance/taken-with-exit.tsx'),
} satisfies Partial<PartLoaders>
