import { loadLiveFigures } from '../../content/live-figures.ts'
import { loadParts } from '../../manifest/parts.ts'
import type { Screens } from '../../manifest/screens.ts'
import { together } from '../../manifest/together.ts'

export const nodeScreens = {
  '/node': {
    title: 'nav_my_node',
    menu: { group: 'rewards', place: 1, icon: 'network' },
    load: () => import('./node-screen.tsx'),
    hasContent: true,
  },
  '/node/aboutUs': {
    title: 'nav_about_us',
    menu: { group: 'about', place: 1, icon: 'info' },
    load: () => together(import('./about-us-screen.tsx'), loadLiveFigures()),
    hasContent: true,
  },
  '/node/income': {
    title: 'nav_pool_income',
    menu: { group: 'rewards', place: 3, icon: 'chart-no-axes-combined' },
    load: () => together(import('./income-screen.tsx'), loadParts('myBoxes')),
    hasContent: true,
  },
} as const satisfies Screens
