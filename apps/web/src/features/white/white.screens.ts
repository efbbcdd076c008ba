import { loadLiveFigures } from '../../content/live-figures.ts'
import type { Screens } from '../../manifest/screens.ts'
import { together } from '../../manifest/together.ts'
import type { WhiteSearch } from './white-screen.tsx'

export const whiteScreens = {
  '/white': {
    title: 'nav_whitepaper',
    menu: { group: 'about', place: 2, icon: 'file-text' },
    search: {} as WhiteSearch,
    load: () => together(import('./white-screen.tsx'), loadLiveFigures()),
    hasContent: true,
  },
} as const satisfies Screens
