import { expect, test } from 'vitest'
import type { WatchablePrice } from '../../platform/prices/prices.ts'
import type { AlertStore } from './alert.store.ts'
import { setAlert } from './set-alert.ts'

const NOW = new Date('2026-11-21T09:00:00Z')
const latest = { priceE18: 600n, time: NOW, stale: true } as const
const WISH = { userId: 'a', key: undefined, symbol: 'BNBUSDT', direction: 'above', priceE18: 700n } as const

/** Sets an alert while the market knows no price that it can be compared with. */
function setAt(market: Omit<WatchablePrice, 'symbol' | 'priceE18'>) {
  const mine = { waiting: async () => undefined }
  const store = { inTurn: (_userId: string, act: (mine: unknown) => unknown) => act(mine) } as unknown as AlertStore
  const prices = async () => [{ symbol: 'BNBUSDT', priceE18: undefined, ...market }]
  return setAlert({ store, clock: { now: () => NOW }, prices, newId: () => 'id' }, WISH)
}

test.each([
  ['one source is fresh', { ...latest, reason: 'one_source' } as const, 'one_source'],
  ['no source is fresh', { ...latest, reason: 'stale' } as const, 'stale'],
  ['the price is unknown', undefined, 'unknown'],
])('an alert says why it has no price while %s', async (_name, price, reason) => {
  const refused = await setAt({ latest: price }).catch((error) => error)
  expect(refused).toMatchObject({ refusal: 'price_out_of_date', data: { reason } })
})
