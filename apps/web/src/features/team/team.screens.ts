import type { Screens } from '../../manifest/screens.ts'

export const teamScreens = {
  '/referral': {
    title: 'nav_referral',
    menu: { group: 'people', place: 2, icon: 'share-2' },
    load: () => import('./referral-screen.tsx'),
    hasContent: true,
  },
  '/team': {
    title: 'nav_my_team',
    menu: { group: 'people', place: 1, icon: 'users' },
    load: () => import('./team-screen.tsx'),
    hasContent: true,
  },
} as const satisfies Screens
