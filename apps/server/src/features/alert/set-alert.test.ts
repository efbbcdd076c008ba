import { expect, test } from 'vitest'
import type { WatchablePrice } from '../../platform/prices/prices.ts'
import type { AlertStore } from './alert.store.ts'
import type { AlertRow } from './alert.tables.ts'
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
  ['its last price is old', latest, 'stale'],
  ['the price is unknown', undefined, 'unknown'],
])('an alert says why it has no price while %s', async (_name, price, reason) => {
  const refused = await setAt({ latest: price }).catch((error) => error)
  expect(refused).toMatchObject({ refusal: 'price_out_of_date', data: { reason } })
})

/** Sets an alert at a price of 600, for a user who has these alerts. */
async function set(
  wish: Partial<Parameters<typeof setAlert>[1]> = {},
  { alerts = [] as AlertRow[], counts = { waiting: 0, recent: 0 }, nowE18 = 600n } = {},
) {
  const inserted: AlertRow[] = []
  const since: Date[] = []
  const mine = {
    async byKey(key: string) {
      expect(key).toBeDefined()
      return alerts.find((each) => each.idempotency_key === key)
    },
    waiting: async ({ symbol, direction, priceE18 }: typeof WISH) =>
      alerts.find((each) => each.symbol === symbol && each.direction === direction && each.price_e18 === priceE18),
    counts: async (from: Date) => {
      since.push(from)
      return counts
    },
    insert: async (row: AlertRow) => inserted.push(row),
  }
  const inTurn = (userId: string, act: (of: typeof mine) => unknown) => (userId === 'a' ? act(mine) : undefined)
  const store = { inTurn } as unknown as AlertStore
  const prices = async () => ['ETHUSDT', 'BNBUSDT'].map((symbol) => ({ symbol, priceE18: nowE18, latest: undefined }))
  const deps = { store, clock: { now: () => NOW }, prices, newId: () => 'id' }
  const row = await setAlert(deps, { ...WISH, ...wish }).catch((error: unknown) => error)
  return { row, inserted, since }
}

const ROW: AlertRow = {
  ...{ id: 'id', user_id: 'a', symbol: 'BNBUSDT', direction: 'above', price_e18: 700n, status: 'waiting' },
  ...{ idempotency_key: 'key', created_at: NOW, delivered_at: null, seen_e18: null },
}
const refusedWith = (refusal: string, data: object) => expect.objectContaining({ refusal, data })

test('an alert waits with its key, after counting the last hour', async () => {
  expect(await set({ key: 'key' })).toEqual({ row: ROW, inserted: [ROW], since: [new Date('2026-11-21T08:00:00Z')] })
  expect((await set()).inserted).toEqual([{ ...ROW, idempotency_key: null }])
})

test('a key returns its alert, and sets no other one', async () => {
  const alerts = [{ ...ROW, id: 'first' }]
  expect(await set({ key: 'key' }, { alerts })).toEqual({ row: alerts[0], inserted: [], since: [] })
  for (const other of [{ symbol: 'ETHUSDT' }, { direction: 'below' as const }, { priceE18: 701n }])
    expect((await set({ key: 'key', ...other }, { alerts })).row).toEqual(
      refusedWith('conflict', { reason: 'key_reused' }),
    )
  // The same alert without the key, or under another one.
  for (const key of [undefined, 'another']) expect((await set({ key }, { alerts })).row).toBe(alerts[0])
})

test.each([
  ['above', 600n, { min: '0.0000000000000006', max: null }],
  ['below', 600n, { min: null, max: '0.0000000000000006' }],
] as const)('a price reached %s is refused, one unit away is not', async (direction, priceE18, bounds) => {
  const data = { reason: 'already_reached', price: '0.0000000000000006', ...bounds }
  expect((await set({ direction, priceE18 })).row).toEqual(refusedWith('amount_out_of_range', data))
  const away = direction === 'above' ? 601n : 599n
  const wrong = direction === 'above' ? 599n : 601n
  expect((await set({ direction, priceE18: away })).inserted).toMatchObject([{ direction, price_e18: away }])
  expect((await set({ direction, priceE18: wrong })).row).toEqual(refusedWith('amount_out_of_range', data))
})

test('alerts are at most 20 that wait, and 60 in an hour', async () => {
  expect((await set({}, { counts: { waiting: 19, recent: 59 } })).inserted).toHaveLength(1)
  expect(await set({}, { counts: { waiting: 20, recent: 59 } })).toMatchObject({
    row: refusedWith('conflict', { reason: 'too_many_alerts', max: 20 }),
    inserted: [],
  })
  expect(await set({}, { counts: { waiting: 19, recent: 60 } })).toMatchObject({
    row: refusedWith('conflict', { reason: 'too_often', max: 60 }),
    inserted: [],
  })
})

test('an alert on an unknown market is not found', async () => {
  expect((await set({ symbol: 'RTUSDT' })).row).toEqual(refusedWith('not_found', {}))
})
