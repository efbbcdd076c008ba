import type { PartLoaders } from '../../manifest/parts.ts'

export const alertParts = {
  priceAlerts: () => import('./price-alerts.tsx'),
} satisfies Partial<PartLoaders>
