import { rankRoutes } from '@clearwell/api/rank.routes'
import { rankPoints } from '../../domain/ranks/rank-points.ts'
import { defineFeature } from '../../platform/feature.ts'
import { rankLedger, rankPower } from './keep-ranks.ts'
import { rankHandlers } from './rank.handlers.ts'
import { createRankStore } from './rank.store.ts'
import { hiddenFromRanks, rankScores, rankTurns } from './rank.tables.ts'

/** Boards of computing power, swap volume and activated leads, by day, week and all time. */
export const rankFeature = defineFeature({
  name: 'rank',
  about: { en: 'Rankings', 'zh-HK': '排行榜' },
  routes: rankRoutes,
  tables: [rankPoints, rankScores, rankTurns, hiddenFromRanks],
  open: ({ db, clock }) => ({
    handlers: rankHandlers({ store: createRankStore(db), clock }),
    jobs: [rankLedger, rankPower],
  }),
})
