import { Refusal } from '@clearwell/ledger/refusal'
import { expect, test } from 'vitest'
import { ORDER_ID_LENGTH, poolTag, swapOrderId, tradeCursorOf, tradeIdOf, tradeIdRange } from './order-id.ts'

const RANDOM = '0123456789abcdef0123456789abcdef'
const time = (ms: number) => new Date(ms)

test('order ids of a pool sort by time until the year 9999', () => {
  const times = [0, 1, 255, 256, 1_790_000_000_000, 1_790_000_000_001, 253_402_300_799_999]
  const ids = times.map((ms, index) => swapOrderId('bnb-usdt', time(ms), (index % 2 ? 'f' : '0').repeat(32)))
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids.map((id) => id.length))).toEqual(new Set([ORDER_ID_LENGTH]))
})

test('order id ranges of two pools never overlap', () => {
  const id = swapOrderId('bnb-usdt', time(1_790_000_000_000), RANDOM)
  const holds = ({ from, below }: { from: string; below: string }) => id >= from && id < below
  expect(poolTag('bnb-usdt')).not.toBe(poolTag('eth-usdt'))
  expect(holds(tradeIdRange('bnb-usdt', undefined))).toBe(true)
  expect(holds(tradeIdRange('eth-usdt', undefined))).toBe(false)
})

test('a cursor continues after its trade within the same millisecond', () => {
  const [first, second] = ['b', 'a'].map((digit) => swapOrderId('bnb-usdt', time(7), digit.repeat(32))) as [
    string,
    string,
  ]
  const { from, below } = tradeIdRange('bnb-usdt', tradeCursorOf(first))
  expect(first < below).toBe(false)
  expect(second >= from && second < below).toBe(true)
})

test('the public trade id and cursor do not reveal the order id', () => {
  const id = swapOrderId('bnb-usdt', time(1_790_000_000_000), RANDOM)
  expect(tradeIdOf(id)).toMatch(/^[0-9a-f]{32}$/)
  expect(tradeIdOf(id)).not.toContain(RANDOM.slice(0, 6))
  // The cursor leaves out 14 of the 20 random digits.
  expect(id.slice(-14)).toBe(RANDOM.slice(6, 20))
  expect(tradeCursorOf(id)).not.toContain(RANDOM.slice(0, 7))
  expect(tradeIdOf(swapOrderId('bnb-usdt', time(1_790_000_000_000), RANDOM.replace('0', '1')))).not.toBe(tradeIdOf(id))
})

test.each(['', 'x', '0'.repeat(17), '0'.repeat(19), 'F'.repeat(18), '%'.repeat(18)])(
  'rejects the text "%s" as a cursor',
  (cursor) => {
    expect(() => tradeIdRange('bnb-usdt', cursor)).toThrow(Refusal)
  },
)
