import { noticeRoutes } from '@clearwell/api/notice.routes'
import { defineFeature } from '../../platform/feature.ts'
import { noticeHandlers } from './notice.handlers.ts'

/** The list of a user's notices. Features send theirs by `platform.notices`. */
export const noticeFeature = defineFeature({
  name: 'notice',
  routes: noticeRoutes,
  open: ({ notices, clock }) => ({ handlers: noticeHandlers({ notices, clock }) }),
})
