import { defineEvents } from '../../platform/log/define-events.ts'

export const swapEvents = defineEvents({
  pool_opened: {
    level: 'info',
    text: 'a pool of the configuration is open, with liquidity from the treasury',
    fields: { pool: 'its id' },
  },
  pool_suspended: {
    level: 'warn',
    text: 'the operator has suspended a pool',
    fields: { pool: 'its id', reason: 'as the operator gave it' },
  },
  pool_resumed: {
    level: 'info',
    text: 'the operator has resumed a pool',
    fields: { pool: 'its id', reason: 'as the operator gave it' },
  },
})
