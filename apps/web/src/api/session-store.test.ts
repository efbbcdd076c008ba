import { fakeStorage } from '@clearwell/ui/browser/testing/fake-storage.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { followOtherTab, saveSession, sessionStore, type User } from './session-store.ts'

const USER = { address: '0x0000000000000000000000000000000000000001' } as User

/** The stored values, in the order in which they were stored. */
let items: Map<string, string>
beforeEach(() => {
  items = new Map()
  vi.stubGlobal('localStorage', fakeStorage(items))
})

test('a sign-in stores the user before the token', () => {
  saveSession({ token: 'new', user: USER })
  expect([...items]).toEqual([
    ['clearwell.user', JSON.stringify(USER)],
    ['clearwell.token', 'new'],
  ])
})

test('another tab that signs in signs this one in, with its user', () => {
  sessionStore.set({ token: undefined, user: undefined })
  items.set('clearwell.user', JSON.stringify(USER)).set('clearwell.token', 'new')
  followOtherTab('clearwell.token', USER.address)
  expect(sessionStore.get()).toEqual({ token: 'new', user: USER })
})

test('the session of another address does not count in this tab', () => {
  sessionStore.set({ token: undefined, user: undefined })
  items.set('clearwell.user', JSON.stringify(USER)).set('clearwell.token', 'new')
  followOtherTab('clearwell.token', '0x0000000000000000000000000000000000000002')
  expect(sessionStore.get()).toEqual({ token: undefined, user: undefined })
})
