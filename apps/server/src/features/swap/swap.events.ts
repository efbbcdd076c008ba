import { defineEvents } from '../../platform/log/define-events.ts'

export const swapEvents = defineEvents({
  pool_opened: {
    level: 'info',
    text: 'a pool of the configuration is open, with liquidity from the treasury',
    fields: { pool: 'its id' },
  },
})
