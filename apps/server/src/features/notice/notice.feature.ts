import { noticeRoutes } from '@clearwell/api/notice.routes'
import { DAY_MS } from '@clearwell/rules/spans'
import * as z from 'zod/mini'
import { defineConfig } from '../../config/config-part.ts'
import { withDefaults } from '../../config/with-defaults.ts'
import { defineFeature } from '../../platform/feature.ts'
import { retainNotices } from '../../platform/notices/retain-notices.ts'
import { noticeHandlers } from './notice.handlers.ts'

const noticesConfig = defineConfig({
  shape: {
    notices: withDefaults(
      z.strictObject({
        keepReadDays: z
          .int()
          .check(z.gte(1), z.lte(3_650), z.describe('days after which a notice that was read is deleted')),
      }),
      { keepReadDays: 90 },
    ),
  },
})

/** The list of a user's notices. Features send theirs by `platform.notices`. */
export const noticeFeature = defineFeature({
  name: 'notice',
  about: { en: 'Notices with an unread badge', 'zh-HK': '通知及未讀標記' },
  routes: noticeRoutes,
  config: noticesConfig,
  open: ({ config, notices, clock }) => ({
    handlers: noticeHandlers({ notices, clock }),
    jobs: [retainNotices({ keepReadMs: config.notices.keepReadDays * DAY_MS })],
  }),
})
