import { alertRoutes } from '@clearwell/api/alert.routes'
import { defineFeature } from '../../platform/feature.ts'
import { alertHandlers, deliveredItem } from './alert.handlers.ts'
import { alertMetrics } from './alert.metrics.ts'
import { createAlertStore } from './alert.store.ts'
import { createAlertDesk } from './alert-desk.ts'
import { createPushStore } from './push.store.ts'
import { createPushSender } from './push-sender.ts'

const EVERY_MS = 500

import { alertConfig } from './alert.config.ts'

export const alertFeature = defineFeature({
  name: 'alert',
  routes: alertRoutes,
  config: alertConfig,
  metrics: alertMetrics,
  notices: ['price_alert'],
  open({ config, db, writer, clock, prices, notices, publishToAccount, newId, metrics, onError }) {
    const { vapid: keys } = config.env
    const { services } = config.push
    const store = createAlertStore(db)
    const pushStore = createPushStore(db)
    const recorder = metrics.add(alertMetrics)
    const onOutcome = (outcome: string) => recorder.count('clearwell_push_messages_total', { outcome })
    const desk = createAlertDesk({
      db,
      store,
      notices,
      pushStore: keys && pushStore,
      clock,
      isWriting: () => writer.isWriting,
      prices: prices.watchable,
      push: keys && createPushSender({ store: pushStore, clock, keys, services, onOutcome, onError }),
      everyMs: EVERY_MS,
      onError,
    })
    // Clients that know alerts but no notices listen for this event.
    notices.onSent((notice) => {
      if (notice.kind === 'price_alert')
        publishToAccount(notice.user_id, { name: 'alert', data: deliveredItem(notice) })
    })
    return {
      handlers: alertHandlers({
        store,
        pushStore,
        notices,
        clock,
        prices: prices.watchable,
        newId,
        publicKey: keys?.publicKey,
        services,
      }),
      local: { runDue: desk.check },
      start: desk.start,
      stop: desk.stop,
    }
  },
})
