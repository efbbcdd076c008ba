import type { Screens } from '../manifest/screens.ts'

export const appScreens = {
  '/': {
    title: 'nav_home',
    menu: { group: 'money', place: 1, icon: 'house' },
    hasContent: true,
  },
  '/language': {
    title: 'nav_language',
    load: () => import('./language-screen.tsx'),
    hasContent: true,
  },
} as const satisfies Screens
