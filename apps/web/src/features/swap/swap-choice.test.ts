import { fakeStorage } from '@clearwell/ui/browser/testing/fake-storage.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { BNB_POOL } from './swap.samples.ts'
import { pairOf, readSwapChoice, saveSwapChoice, startsInverse } from './swap-choice.ts'

const ALICE = '0xaaaa000000000000000000000000000000000001'

beforeEach(() => {
  vi.stubGlobal('localStorage', fakeStorage(new Map()))
})

const balances = (bnb: string, usdt: string) => [
  { asset: 'BNB', available: bnb },
  { asset: 'USDT', available: usdt },
]

test.each([
  ['a visitor sells the first asset', {}, false],
  ['a link decides the side', { asked: 'USDT', balances: balances('5', '0') }, true],
  ['a link to another asset does not count', { asked: 'ETH', balances: balances('5', '0') }, false],
  ['the larger value is sold: 1 BNB is worth 620 USDT', { balances: balances('1', '619') }, false],
  ['the larger value is sold: 621 USDT', { balances: balances('1', '621') }, true],
  ['a new user has USDT to bring first', { balances: balances('0', '0') }, true],
  ['the last side wins over the larger holding', { last: sold('BNB'), balances: balances('0.1', '900') }, false],
  ['a last side that is used up gives way', { last: sold('BNB'), balances: balances('0', '900') }, true],
  ['the last side counts until balances are known', { last: sold('USDT') }, true],
  ['the last side of another pair does not count', { last: { ...sold('USDT'), pair: 'ETHUSDT' } }, false],
] as const)('%s', (_, start, inverse) => {
  expect(startsInverse(BNB_POOL, start)).toBe(inverse)
})

test('remembers the last choice of each account, five at most', () => {
  saveSwapChoice(ALICE, sold('USDT'))
  expect(readSwapChoice(ALICE)).toMatchObject(sold('USDT'))
  expect(readSwapChoice('')).toBeUndefined()
  for (let n = 0; n < 5; n++) saveSwapChoice(`0x${n}`, sold('BNB'))
  expect(readSwapChoice(ALICE)).toBeUndefined()
  expect(readSwapChoice('0x4')).toMatchObject(sold('BNB'))
})

test('ignores a stored choice that is not one', () => {
  localStorage.setItem('clearwell.swap.choice.0x1', '{"at":1,"value":{"pair":"BNBUSDT","sell":"DOGE"}}')
  expect(readSwapChoice('0x1')).toBeUndefined()
})

function sold(sell: 'BNB' | 'USDT') {
  return { pair: 'BNBUSDT', sell }
}

test.each([
  ['the first pair is the default', [], 'BNBUSDT'],
  ['a pair that is not traded gives way', ['XYZUSDT', undefined, 'ETHUSDT'], 'ETHUSDT'],
  ['the address wins over the last choice', ['ETHUSDT', undefined, 'BNBUSDT'], 'ETHUSDT'],
] as const)('%s', { tags: ['§7.15'] }, (_, asked, symbol) => {
  expect(pairOf([BNB_POOL, { ...BNB_POOL, symbol: 'ETHUSDT' }], asked)?.symbol).toBe(symbol)
  expect(pairOf(undefined, asked)).toBeUndefined()
})
