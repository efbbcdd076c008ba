import { forgetUntilDisconnect } from '@clearwell/ui/browser/stored.ts'
import { fakeStorage } from '@clearwell/ui/browser/testing/fake-storage.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { forgetForm, keepForm, keptFields, takeForm } from './kept-forms.ts'

const ALICE = '0xaaaa000000000000000000000000000000000001'
const BOB = '0xbbbb000000000000000000000000000000000002'
const FIRST = { asset: 'USDT', amount: '', days: 30 }
const TYPED = { asset: 'BNB', amount: '12.5', days: 7 }

const visit = (owner = ALICE, asked: Partial<typeof FIRST> = {}) => keptFields('sell', FIRST, { owner, asked })

beforeEach(() => {
  vi.stubGlobal('sessionStorage', fakeStorage(new Map()))
  keepForm('sell', { owner: ALICE, asked: { amount: '3' }, fields: TYPED })
})

test('a later visit finds the fields as they were left', () => {
  expect(visit()).toEqual(TYPED)
  expect(keptFields('buy', FIRST, { owner: ALICE, asked: {} })).toBeUndefined()
})

test.each([
  ['clearing it', () => forgetForm('sell')],
  ['sending its command', () => void takeForm('sell')],
  ['disconnecting the wallet', forgetUntilDisconnect],
])('%s ends a kept form', (_name, end) => {
  end()
  expect(visit()).toBeUndefined()
})

test('shows a form to its owner, a visitor’s to any account', () => {
  expect(visit(BOB)).toBeUndefined()
  keepForm('sell', { owner: '', asked: {}, fields: TYPED })
  expect(visit(BOB)).toEqual(TYPED)
})

test.each([
  [{ asset: 'BNB' }, TYPED],
  [{ asset: 'BNB', amount: '12.5' }, TYPED],
  [{ asset: 'BNB', amount: '99' }, undefined],
  [{ asset: 'ETH' }, undefined],
  // The link that the form was filled in from, again or by Back: the user changed it since.
  [{ amount: '3' }, TYPED],
])('a link that asks for %o shows %o', (asked, shown) => {
  expect(visit(ALICE, asked)).toEqual(shown)
})

test('fields of another build are left out', () => {
  keepForm('sell', { owner: ALICE, asked: {}, fields: { asset: 'BNB', days: '7', gone: true } })
  expect(visit()).toEqual({ ...FIRST, asset: 'BNB' })
})
