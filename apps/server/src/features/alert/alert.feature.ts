import { alertRoutes } from '@clearwell/api/alert.routes'
import { defineFeature } from '../../platform/feature.ts'
import { alertHandlers } from './alert.routes.ts'
import { createAlertStore } from './alert.store.ts'
import { createAlertDesk } from './alert-desk.ts'
import { createPushStore } from './push.store.ts'
import { createPushSender } from './push-sender.ts'

const EVERY_MS = 500

export const alertFeature = defineFeature({
  name: 'alert',
  routes: alertRoutes,
  open({ config, db, writer, clock, prices, publishToAccount, newId, onError }) {
    const { vapid: keys } = config.env
    const { services } = config.push
    const store = createAlertStore(db)
    const pushStore = createPushStore(db)
    const desk = createAlertDesk({
      store,
      clock,
      isWriting: () => writer.isWriting,
      prices: prices.watchable,
      tell: publishToAccount,
      push: keys && createPushSender({ store: pushStore, clock, keys, services, onError }),
      everyMs: EVERY_MS,
      onError,
    })
    return {
      handlers: alertHandlers({
        store,
        pushStore,
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
