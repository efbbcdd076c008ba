import type { Screens } from '../../manifest/screens.ts'
import type { RankSearch } from './rank-search.ts'

export const rankScreens = {
  '/ranks': {
    title: 'nav_rankings',
    menu: { group: 'rewards', place: 4, icon: 'trophy' },
    search: {} as RankSearch,
    load: () => import('./rank-screen.tsx'),
    hasContent: true,
  },
} as const satisfies Screens
