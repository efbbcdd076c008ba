import { defineMetrics } from '../../platform/metrics/define-metrics.ts'

export const proofMetrics = defineMetrics({
  clearwell_header_age_seconds: {
    type: 'gauge',
    help: 'Seconds since the header that counts was made: the newest one on the vault with exits, or the newest signed one without such a vault. From 7200 on, trading is stopped. The leader has it.',
  },
  clearwell_header_waiting_seconds: {
    type: 'gauge',
    help: "Seconds for which the newest header has waited for a bookkeeper's signature. The leader has it.",
  },
  clearwell_bookkeeper_away_seconds: {
    type: 'gauge',
    help: 'Seconds for which a bookkeeper has not answered; 0 while it answers. The leader has it.',
    labels: { bookkeeper: 'the address of its key' },
  },
  clearwell_bookkeeper_refusals_total: {
    type: 'counter',
    help: 'Headers that a bookkeeper has refused, on the leader of the time.',
    labels: { bookkeeper: 'the address of its key' },
  },
})
