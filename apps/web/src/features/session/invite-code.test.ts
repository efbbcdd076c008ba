import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetInviteCode, inviteCode, inviteCodeOf, keepInviteCode, withInviteCode } from './invite-code.ts'

const ORIGIN = 'http://127.0.0.1'
const stored = new Map<string, string>()
const root = { dataset: { invited: '' } as { invited?: string } }

beforeEach(() => {
  stored.clear()
  root.dataset = { invited: '' }
  vi.stubGlobal('document', { documentElement: root })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Loads the page of an address, as `main.tsx` does. */
function visit(path: string): { readonly href: string } {
  const location = { href: `${ORIGIN}${path}` }
  class FakeHistory {
    readonly state = {}
    replaceState(_state: unknown, _title: string, href: string) {
      location.href = href
    }
  }
  vi.stubGlobal('location', location)
  vi.stubGlobal('History', FakeHistory)
  vi.stubGlobal('history', new FakeHistory())
  if (location.href.includes('pid=')) keepInviteCode(location.href)
  return location
}

test.each([
  ['/?pid=AB12#/', 'AB12'],
  ['/#/en/referral?pid=AB12', 'AB12'],
  ['/#/en', undefined],
  ['/?pid=', undefined],
  // These would fail the sign-in, and an unknown code must not.
  [`/?pid=${'A'.repeat(65)}`, undefined],
  ['/?pid=%3Cb%3E', undefined],
])('the code in %s is %s', { tags: ['§7.09'] }, (path, code) => {
  expect(inviteCodeOf(ORIGIN + path)).toBe(code)
})

test('a code behind the # moves before it, where other screens keep it', () => {
  expect(visit('/#/en/swap/exchange?pid=AB12&pair=ETHUSDT').href).toBe(
    `${ORIGIN}/?pid=AB12#/en/swap/exchange?pair=ETHUSDT`,
  )
})

test('a code is kept for later visits until a sign-in', () => {
  visit('/?pid=AB12#/')
  const later = visit('/#/en/wallet')
  expect(inviteCode()).toBe('AB12')
  expect(withInviteCode(later.href)).toBe(`${ORIGIN}/?pid=AB12#/en/wallet`)
  forgetInviteCode()
  expect(inviteCode()).toBeUndefined()
  expect(withInviteCode(later.href)).toBe(later.href)
  expect(root.dataset).toEqual({})
})

test('a sign-in takes the code from the address too', () => {
  const page = visit('/?pid=AB12&x=1#/en/swap/exchange?pair=ETHUSDT')
  forgetInviteCode()
  expect(page.href).toBe(`${ORIGIN}/?x=1#/en/swap/exchange?pair=ETHUSDT`)
  expect(inviteCode()).toBeUndefined()
})

test('the latest invitation wins', () => {
  visit('/?pid=AB12#/')
  visit('/?pid=CD34#/')
  visit('/#/')
  expect(inviteCode()).toBe('CD34')
})
