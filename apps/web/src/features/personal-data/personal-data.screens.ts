import type { Screens } from '../../manifest/screens.ts'

export const personalDataScreens = {
  '/profile/data': {
    title: 'data_title',
    menu: { group: 'about', place: 5, icon: 'file-text' },
    load: () => import('./data-screen.tsx'),
  },
} as const satisfies Screens
