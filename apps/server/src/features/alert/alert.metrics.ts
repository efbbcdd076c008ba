import { defineMetrics } from '../../platform/metrics/define-metrics.ts'

export const alertMetrics = defineMetrics({
  clearwell_push_messages_total: {
    type: 'counter',
    help: 'Attempts to send a push message.',
    labels: {
      outcome: {
        about: '`sent`, `gone` (the device has unsubscribed), `refused` or `again` (it is tried again)',
        values: ['sent', 'gone', 'refused', 'again'],
      },
    },
  },
})
