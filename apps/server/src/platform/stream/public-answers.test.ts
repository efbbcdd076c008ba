import type { Answer } from '@clearwell/api/routes'
import { beforeEach, expect, test } from 'vitest'
import { refusal } from '../ledger/refuse.ts'
import { createPublicAnswers, type PublicAnswers } from './public-answers.ts'

let nowMs: number
let pairs: Answer<'pairs'>
let tickersAsked: (string | undefined)[]
let answers: PublicAnswers
beforeEach(() => {
  nowMs = 1_000_000
  pairs = [{ id: 'bnb-usdt' }] as never
  tickersAsked = []
  answers = createPublicAnswers({
    pairs: async () => pairs,
    async ticker(symbol) {
      tickersAsked.push(symbol)
      if (symbol === 'NONE') throw refusal('not_found')
      return { symbol, time: new Date(nowMs).toISOString() } as never
    },
    clock: { now: () => new Date(nowMs) },
  })
})

test('pairs are made into bytes once for as long as they are the same', async () => {
  const first = await answers.pairs()
  expect(await answers.pairs()).toBe(first)
  pairs = [{ id: 'bnb-usdt' }] as never
  expect(await answers.pairs()).toBe(first)
  pairs = [{ id: 'eth-usdt' }] as never
  const next = await answers.pairs()
  expect(next.json).toBe('[{"id":"eth-usdt"}]')
  expect(next.in('en').etag).not.toBe(first.in('en').etag)
})

test('a ticker is asked for once in a quarter of a second, whoever asks', async () => {
  const [first, second] = await Promise.all([answers.ticker('BNBUSDT'), answers.ticker('BNBUSDT')])
  expect(second).toBe(first)
  nowMs += 249
  expect(await answers.ticker('BNBUSDT')).toBe(first)
  await answers.ticker('ETHUSDT')
  await answers.ticker(undefined)
  expect(tickersAsked).toEqual(['BNBUSDT', 'ETHUSDT', undefined])
  nowMs += 1
  expect((await answers.ticker('BNBUSDT')).json).toContain('00:16:40.250Z')
  nowMs -= 3_600_000
  expect((await answers.ticker('BNBUSDT')).json).toContain('1969')
})

test('a price that was set by hand is seen by whoever asks next', async () => {
  await answers.ticker('BNBUSDT')
  answers.invalidate()
  await answers.ticker('BNBUSDT')
  expect(tickersAsked).toHaveLength(2)
})

test('a refusal is not kept', async () => {
  await expect(answers.ticker('NONE')).rejects.toMatchObject({ refusal: 'not_found' })
  await expect(answers.ticker('NONE')).rejects.toMatchObject({ refusal: 'not_found' })
  expect(tickersAsked).toHaveLength(2)
})
