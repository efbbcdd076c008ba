import { proofRoutes } from '@clearwell/api/proof.routes'
import { defineFeature } from '../../platform/feature.ts'
import { describeReserves } from './describe-reserves.ts'

export const proofFeature = defineFeature({
  name: 'proof',
  about: { en: 'Proof of reserves, repeated in your browser', 'zh-HK': '儲備證明，可用瀏覽器自行核對' },
  routes: proofRoutes,
  open: ({ config: { solvency }, clock, lastReserveCheck }) => ({
    handlers: {
      async proofReserves() {
        return describeReserves(await lastReserveCheck(), { now: clock.now(), maxAgeMs: solvency.maxAgeMs })
      },
    },
  }),
})
