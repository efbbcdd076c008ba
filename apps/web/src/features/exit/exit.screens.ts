import { loadParts, type PartLoaders } from '../../manifest/parts.ts'
import type { Screens } from '../../manifest/screens.ts'
import { together } from '../../manifest/together.ts'

export const exitScreens = {
  '/wallet/exit': {
    title: 'exit_title',
    load: () => together(import('./exit-screen.tsx'), loadParts('takenWithExit')),
  },
} as const satisfies Screens

export const exitParts = {
  owedAdvance: () => import('./advance-slot.tsx'),
} satisfies Partial<PartLoaders>
