import { defineMetrics } from '../../platform/metrics/define-metrics.ts'

export const exitMetrics = defineMetrics({
  clearwell_root_age_seconds: {
    type: 'gauge',
    help: 'Age of the newest root on the vault; since the start where there is none yet. The leader has it, for a vault with exits.',
  },
  clearwell_poster_configured: {
    type: 'gauge',
    help: '1 if this server has the key that posts headers, 0 if not. The leader has it, for a vault with exits.',
  },
  clearwell_poster_gas_hours: {
    type: 'gauge',
    help: 'Hours for which the account that posts headers has gas, at the price of now. The leader has it.',
  },
  clearwell_canary_overdue_seconds: {
    type: 'gauge',
    help: 'Seconds since the exit of the canary should have ended, or since it should have asked for the next one; 0 before. The leader has it, where a canary is configured.',
  },
})
