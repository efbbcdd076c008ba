import { personalDataRoutes } from '@clearwell/api/personal-data.routes'
import { defineFeature } from '../../platform/feature.ts'
import { dataFile } from './data-file.ts'
import { eraseData } from './erase-data.ts'
import { keptForText, storedGroups } from './kept-for.ts'

export const personalDataFeature = defineFeature({
  name: 'personal-data',
  about: { en: 'Your data: what is stored, a file of it, and erasure', 'zh-HK': '你的資料：儲存內容、下載及刪除' },
  routes: personalDataRoutes,
  open({ config, db, tables, clock }) {
    const product = config.product.en.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
    const stored = storedGroups(tables, config)
    const keptFor = (table: (typeof tables)[number]) => keptForText(table, config)
    return {
      handlers: {
        storedData: async () => stored,
        myData(_payload, { user }) {
          const now = clock.now()
          return {
            name: `${product}-data-${now.toISOString().slice(0, 10)}.json`,
            type: 'application/json; charset=utf-8',
            pieces: dataFile({ db, tables, keptFor, product: config.product.en }, user.id, now),
          }
        },
        eraseData: (_payload, { user }) =>
          eraseData({ db, tables, answersDays: config.retention.answersDays }, user, clock.now()),
      },
    }
  },
})
