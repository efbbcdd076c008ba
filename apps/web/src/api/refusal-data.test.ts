import { CODES, type RefusalName } from '@clearwell/api/codes'
import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { refusalData } from './refusal-data.ts'

const refused = (name: RefusalName, data: unknown) => new ApiError(CODES[name].code, CODES[name].msg.en, data)

test('reads the declared fields of a refusal and its reason', () => {
  const error = refused('amount_out_of_range', { max: '5', reason: 'order_cap', min: null })
  expect(refusalData(error, 'amount_out_of_range')).toEqual({ max: '5', reason: 'order_cap' })
  expect(refusalData(refused('too_many_open', { max: 200 }), 'too_many_open')).toEqual({ max: 200 })
})

test('leaves out fields and reasons that this build does not know', () => {
  const data = { reason: 'of_tomorrow', max: 5, toString: 'x', colour: 'red', opens_at: '2030-01-01' }
  for (const sent of [data, 'text', null, undefined, []])
    expect(refusalData(refused('amount_out_of_range', sent), 'amount_out_of_range')).toEqual({})
  expect(refusalData(refused('conflict', { reason: 'toString' }), 'conflict')).toEqual({})
})

test('finds no data in another refusal or error', () => {
  for (const error of [refused('conflict', { max: 5 }), new Error('lost'), null])
    expect(refusalData(error, 'amount_out_of_range')).toBeUndefined()
})
