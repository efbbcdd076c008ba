import { describe, expect, test } from 'vitest'
import { type SpotSource, SpotUnavailable } from '../../platform/market-data/spot-source.ts'
import { appOf, E18, handlersOf, NOW, sourceOf, tickerOf } from './testing/market-calls.ts'

describe('a market without a fresh source', () => {
  /** Status, code and message of a call, in a language. */
  async function refusalOf(source: SpotSource, path: string, locale: string) {
    const app = await appOf(source)
    const headers = { 'content-type': 'application/json', 'accept-language': locale }
    const reply = await app.inject({ method: 'POST', url: `/api${path}`, headers, payload: '{"interval":"1h"}' })
    await app.close()
    return [reply.statusCode, reply.json().code, reply.json().msg]
  }

  test.each(['fresh', 'apart'] as const)('shows a price that is %s as one that money uses', async (state) => {
    expect(await tickerOf({ state })).toMatchObject({ price: '620', state, stale: false })
  })

  test.each(['one_source', 'stale'] as const)('shows a price that is %s with its time', async (state) => {
    const time = new Date(NOW.getTime() - 3_600_000)
    expect(await tickerOf({ state, time })).toMatchObject({
      price: '620',
      state,
      stale: true,
      time: time.toISOString(),
    })
  })

  test('shows an unknown price as none with its sources', async () => {
    const sources = [
      { name: 'A', priceE18: 620n * E18, time: NOW, stale: false },
      { name: 'B', priceE18: 700n * E18, time: NOW, stale: false },
    ]
    const unknown = { state: 'unknown', priceE18: undefined, changePpm: undefined, time: undefined, sources } as const
    expect(await tickerOf(unknown)).toMatchObject({
      price: null,
      change_24h: null,
      time: null,
      state: 'unknown',
      stale: true,
      sources: [{ price: '620' }, { price: '700' }],
    })
  })

  test('shows a price without 24-hour figures', async () => {
    const none = { changePpm: undefined, highE18: undefined, lowE18: undefined, volume: undefined }
    const missing = { change_24h: null, high_24h: null, low_24h: null, volume_24h: null }
    expect(await tickerOf(none)).toMatchObject({ price: '620', ...missing })
  })

  test('responds with a ticker while the price is unknown', async () => {
    const app = await appOf(sourceOf({ state: 'unknown', priceE18: undefined, time: undefined }))
    const reply = await app.inject({ method: 'POST', url: '/api/spot/ticker' })
    await app.close()
    expect([reply.statusCode, reply.json().code, reply.json().data.price]).toEqual([200, 1, null])
  })

  test('reports missing candles as out of date and bugs as bugs', async () => {
    const failing = (error: Error) => ({ ...sourceOf({}), candles: () => Promise.reject(error) })
    const source = failing(new SpotUnavailable('away'))
    expect(await refusalOf(source, '/spot/kline', 'en')).toEqual([200, 20011, 'The price is out of date'])
    expect(await refusalOf(source, '/spot/kline', 'zh-HK')).toEqual([200, 20011, '價格已過時'])
    const { spotKline } = handlersOf(failing(new Error('a bug')))
    await expect(
      spotKline({ interval: '1h' }, { locale: 'en', idempotencyKey: undefined, clientAddress: '::1' }),
    ).rejects.toThrow('a bug')
  })
})
