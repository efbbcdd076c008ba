import { defineMetrics } from '../../platform/metrics/define-metrics.ts'

export const proofMetrics = defineMetrics({
  clearwell_header_waiting_seconds: {
    type: 'gauge',
    help: "Seconds for which the newest header has waited for the bookkeeper's signature. The leader has it.",
  },
  clearwell_bookkeeper_refusals_total: {
    type: 'counter',
    help: 'Headers that the bookkeeper has refused, on the leader of the time.',
  },
})
