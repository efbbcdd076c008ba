import type { ResponseOf } from '@clearwell/api/routes'

/** One alert that waits for its price. */
export const WAITING: ResponseOf<'alerts'> = {
  items: [
    {
      alert_id: '1',
      symbol: 'BNBUSDT',
      direction: 'above',
      price: '620',
      status: 'waiting',
      created_at: '2030-01-01T00:00:00.000Z',
      delivered_at: null,
      price_seen: null,
    },
  ],
  next_cursor: null,
}
