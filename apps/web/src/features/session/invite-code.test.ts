import { expect, test } from 'vitest'
import { inviteCodeOfPage } from './invite-code.ts'

test('reads the invite code before or after the hash', () => {
  expect(inviteCodeOfPage({ search: '?pid=AB12', hash: '#/' })).toBe('AB12')
  expect(inviteCodeOfPage({ search: '', hash: '#/en/referral?pid=AB12' })).toBe('AB12')
  expect(inviteCodeOfPage({ search: '', hash: '#/en' })).toBeUndefined()
  expect(inviteCodeOfPage({ search: '?pid=', hash: '' })).toBeUndefined()
})
