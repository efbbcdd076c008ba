import { alertRoutes } from '@clearwell/api/alert.routes'
import { defineFeature } from '../../platform/feature.ts'
import { sessions } from '../../platform/sessions/session.store.ts'
import { alertConfig } from './alert.config.ts'
import { alertHandlers, deliveredItem } from './alert.handlers.ts'
import { alertMetrics } from './alert.metrics.ts'
import { createAlertStore } from './alert.store.ts'
import { alertPushes, alerts, pushSubscriptions } from './alert.tables.ts'
import { alertDrains } from './alert-drains.ts'
import { createPushStore } from './push.store.ts'
import { createPushSender } from './push-sender.ts'

export const alertFeature = defineFeature({
  name: 'alert',
  about: { en: 'Price alerts, also by Web Push', 'zh-HK': '到價提示，可以 Web Push 接收' },
  routes: alertRoutes,
  config: alertConfig,
  tables: [alerts, pushSubscriptions, alertPushes],
  keeps: [{ table: sessions, while: 'select from push_subscriptions where session_hash = token_hash' }],
  metrics: alertMetrics,
  notices: ['price_alert'],
  open({ config, db, clock, prices, notices, publishToAccount, newId, metrics, onError }) {
    const { vapid: keys } = config.env
    const { services } = config.push
    const store = createAlertStore(db)
    const pushStore = createPushStore(db)
    const recorder = metrics.add(alertMetrics)
    const onOutcome = (outcome: string) => recorder.count('clearwell_push_messages_total', { outcome })
    const push = keys && createPushSender({ store: pushStore, clock, keys, services, onOutcome, onError })
    const queued = keys && pushStore
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
      jobs: alertDrains({ db, store, notices, pushStore: queued, clock, prices: prices.watchable, push }),
      ...(push ? { services: [{ name: 'push' as const, isOk: push.isOk }] } : {}),
      stop: () => push?.stop(),
    }
  },
})
