import { expect, test } from 'vitest'
import { mayCover } from './may-cover.ts'

const REQUEST = { kind: 'star_passed', link: '/rich' } as const

test.each([
  ['a screen', { path: '/en/stake', isSheetOpen: false }, REQUEST, true],
  ['a sheet', { path: '/en/stake', isSheetOpen: true }, REQUEST, false],
  ['the amounts of a confirmation', { path: '/wallet/confirmation', isSheetOpen: false }, REQUEST, false],
  ['the screen with the news', { path: '/node', isSheetOpen: false }, { ...REQUEST, link: '/node/claim' }, false],
  ['the banner that says it', { path: '/', isSheetOpen: false }, { ...REQUEST, kind: 'account_frozen' }, false],
] as const)('a notice over %s', (_, place, notice, isShown) => {
  expect(mayCover(place, notice as Parameters<typeof mayCover>[1])).toBe(isShown)
})
