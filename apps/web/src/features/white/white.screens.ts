import type { Screens } from '../../manifest/screens.ts'
import type { WhiteSearch } from './white-screen.tsx'

export const whiteScreens = {
  '/white': {
    title: 'nav_whitepaper',
    menu: { group: 'about', place: 2, icon: 'file-text' },
    search: {} as WhiteSearch,
    load: () => import('./white-screen.tsx'),
    hasContent: true,
  },
} as const satisfies Screens
