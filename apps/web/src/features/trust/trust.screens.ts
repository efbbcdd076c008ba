import type { Screens } from '../../manifest/screens.ts'

export const trustScreens = {
  '/trust/changes': {
    title: 'trust_changes_title',
    menu: { group: 'about', place: 3, icon: 'scroll-text' },
    load: () => import('./changes-screen.tsx'),
  },
} as const satisfies Screens
