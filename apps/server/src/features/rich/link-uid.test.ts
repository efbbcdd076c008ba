import { beforeEach, describe, expect, test } from 'vitest'
import { richUids } from './rich.tables.ts'
import { RichLedger, refused, START } from './testing/rich-ledger.ts'

let ledger: RichLedger
beforeEach(() => {
  ledger = new RichLedger()
})

describe('linking a UID', () => {
  test('opens an account without a star', () => {
    ledger.join('alice', { uid: null })
    expect(ledger.link('alice', '123456', 'Alice')).toMatchObject({ uid: '123456', name: 'Alice', star: 0, next: 1 })
    expect(ledger.account('alice')).toMatchObject({ uid: '123456', star: 0, weight: 0n, linked_at: START })
    expect(ledger.row(richUids, '123456')).toEqual({ id: '123456', user_id: 'alice' })
  })

  test('is refused without activation, twice, and for a taken UID', () => {
    ledger.join('alice', { uid: '123456' })
    expect(refused(() => ledger.link('stranger', '654321'))).toEqual({ not_activated: {} })
    expect(refused(() => ledger.link('alice', '654321'))).toEqual({ conflict: { reason: 'already_linked' } })
    ledger.join('bob', { uid: null })
    expect(refused(() => ledger.link('bob', '123456'))).toEqual({ conflict: { reason: 'uid_taken' } })
    expect(ledger.account('bob')).toBeUndefined()
  })
})

describe('renaming a UID', () => {
  test('changes the name alone', () => {
    ledger.join('alice')
    const before = ledger.account('alice')
    expect(ledger.rename('alice', '小明')).toMatchObject({ name: '小明' })
    expect(ledger.account('alice')).toEqual({ ...before, name: '小明' })
  })

  test('is refused without a linked UID', () => {
    ledger.join('alice', { uid: null })
    expect(refused(() => ledger.rename('alice', 'Alice'))).toEqual({ uid_not_linked: {} })
  })
})
