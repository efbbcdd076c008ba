import { describe, expect, test } from 'vitest'
import { Refusal } from '../refusal.ts'
import { refusalOf } from './memory-ledger.ts'

describe('refusalOf', () => {
  test('returns the name and the data of a refusal', () => {
    const refuse = () => {
      throw new Refusal('balance_not_enough', { missing: '1' })
    }
    expect(refusalOf(refuse)).toEqual({ refusal: 'balance_not_enough', data: { missing: '1' } })
  })

  test('throws when the step succeeds or has a bug', () => {
    expect(() => refusalOf(() => 1)).toThrow('expected a refusal')
    const fail = () => {
      throw new TypeError('a bug')
    }
    expect(() => refusalOf(fail)).toThrow('a bug')
  })
})
