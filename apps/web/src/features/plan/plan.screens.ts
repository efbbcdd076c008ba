import type { Screens } from '../../manifest/screens.ts'
import type { SlotLoaders } from '../../manifest/slots.ts'
import type { PlanDraft, ShownPlans } from './plan-search.ts'

export const planScreens = {
  '/swap/plans': {
    title: 'plan_title',
    menu: { group: 'money', place: 5, icon: 'calendar-clock' },
    search: {} as ShownPlans,
    load: () => import('./plans-screen.tsx'),
  },
  '/swap/plans/limit': {
    title: 'plan_limit_title',
    search: {} as PlanDraft,
    load: () => import('./limit-screen.tsx'),
  },
  '/swap/plans/schedule': {
    title: 'plan_schedule_title',
    search: {} as PlanDraft,
    load: () => import('./schedule-screen.tsx'),
  },
} as const satisfies Screens

export const planSlots = {
  moreWaysToSwap: () => import('./more-ways.tsx'),
  swapsToCome: () => import('./swaps-to-come.tsx'),
} satisfies SlotLoaders
