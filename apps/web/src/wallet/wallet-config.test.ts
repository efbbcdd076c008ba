import { expect, test } from 'vitest'
import { restamp } from './wallet-config.ts'

test('the stored state has version 2 and wagmi reads version 3', () => {
  const written = restamp('{"state":{"chainId":56},"version":3}', 3, 2)
  expect(JSON.parse(written)).toEqual({ state: { chainId: 56 }, version: 2 })
  expect(JSON.parse(restamp(written, 2, 3))).toEqual({ state: { chainId: 56 }, version: 3 })
})

test('a stored state of another version is ignored', () => {
  expect(JSON.parse(restamp('{"state":{},"version":1}', 2, 3))).toEqual({ state: {}, version: 0 })
  expect(JSON.parse(restamp('{"state":{},"version":3}', 2, 3))).toEqual({ state: {}, version: 0 })
})
