import { expect, test } from 'vitest'
import { outcomeOf } from './swap-outcome.ts'

const found = (status: 'pending' | 'completed' | 'failed') => ({
  found: { transaction_id: 'a', status, amount_in: '1', amount_out: '2', fee: '0' },
  times: 0,
})

test('a swap that is found is what the server says of it', () => {
  expect([found('completed'), found('failed'), found('pending')].map(outcomeOf)).toEqual([
    'completed',
    'failed',
    'checking',
  ])
})

test('it is only said not to have happened once it was not found several times: it may still be on its way', () => {
  expect([undefined, ...[1, 2, 3].map((times) => ({ found: undefined, times }))].map(outcomeOf)).toEqual([
    'checking',
    'checking',
    'checking',
    'not_found',
  ])
})
