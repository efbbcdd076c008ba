import { expect, test } from 'vitest'
import { restamp } from './versioned-storage.ts'

test('the stored state says version 2 and wagmi reads version 3', () => {
  const written = restamp('{"state":{"chainId":56},"version":3}', 3, 2)
  expect(JSON.parse(written)).toEqual({ state: { chainId: 56 }, version: 2 })
  expect(JSON.parse(restamp(written, 2, 3))).toEqual({ state: { chainId: 56 }, version: 3 })
})

test('a state of another version is left as it is', () => {
  expect(restamp('{"state":{},"version":1}', 2, 3)).toBe('{"state":{},"version":1}')
})
