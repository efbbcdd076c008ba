import type { Screens } from '../../manifest/screens.ts'

export const trustScreens = {
  '/trust': {
    title: 'trust_title',
    menu: { group: 'about', place: 3, icon: 'badge-check' },
    load: () => import('./trust-screen.tsx'),
  },
  '/trust/changes': {
    title: 'trust_changes_title',
    menu: { group: 'about', place: 4, icon: 'scroll-text' },
    load: () => import('./changes-screen.tsx'),
  },
} as const satisfies Screens
