import type { PartLoaders } from '../../manifest/parts.ts'
import type { Screens } from '../../manifest/screens.ts'
import type { ChosenBoxes } from './claim-search.ts'

export const blindBoxScreens = {
  '/node/blindBox': {
    title: 'nav_blind_box',
    menu: { group: 'rewards', place: 2, icon: 'box' },
    load: () => import('./blind-box-screen.tsx'),
    hasContent: true,
  },
  '/node/claim': {
    title: 'title_node_claim',
    load: () => import('./claim-screen.tsx'),
    hasContent: true,
  },
  '/node/confirmation': {
    title: 'title_node_confirmation',
    search: {} as ChosenBoxes,
    load: () => import('./claim-confirm-screen.tsx'),
    hasContent: true,
  },
} as const satisfies Screens

export const blindBoxParts = {
  myBoxes: () => import('./my-boxes.tsx'),
} satisfies Partial<PartLoaders>
