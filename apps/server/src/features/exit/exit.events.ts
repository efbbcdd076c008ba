import { defineEvents } from '../../platform/log/define-events.ts'

export const exitEvents = defineEvents({
  root_posted: {
    level: 'info',
    text: 'a header is on the chain, posted by this server',
    fields: { number: 'its number', tx_hash: 'the transaction' },
  },
  root_post_failed: {
    level: 'warn',
    text: 'the vault refused the transaction that posts a header: another post was faster',
    fields: { number: 'the number of the header', tx_hash: 'the transaction' },
  },
  poster_missing: {
    level: 'warn',
    text: 'POSTER_PRIVATE_KEY is not set: this server posts no headers, and users post one with each withdrawal',
  },
})
