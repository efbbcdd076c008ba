import type { Screens } from '../../manifest/screens.ts'

export const richScreens = {
  '/rich': {
    title: 'nav_upgrade_hub',
    menu: { group: 'people', place: 3, icon: 'rocket' },
    load: () => import('./rich-screen.tsx'),
    hasContent: true,
  },
  '/rich/pledge': {
    title: 'title_rich_pledge',
    load: () => import('./deposit-screen.tsx'),
    hasContent: true,
  },
} as const satisfies Screens
