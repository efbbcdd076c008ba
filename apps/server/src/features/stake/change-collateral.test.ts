import { beforeEach, expect, test } from 'vitest'
import type { LendingLedger } from '../../testing/lending-ledger.ts'
import { newPledgedPool, refused } from './testing/pledged-pool.ts'

let ledger: LendingLedger
beforeEach(() => {
  ledger = newPledgedPool()
})

test('returns collateral down to the initial limit, to its owner', () => {
  const { order_id: id } = ledger.borrow('user', '10', '3900')
  expect(refused(() => ledger.removeCollateral('user', id, '0.1'))).toEqual({ amount_out_of_range: { max: '0' } })
  ledger.repay('user', id, '390')
  expect(refused(() => ledger.removeCollateral('user', id, '1.000000000000000001'))).toEqual({
    amount_out_of_range: { max: '1' },
  })
  expect(ledger.removeCollateral('user', id, '1')).toMatchObject({ collateral_amount: '9', ltv: '0.65' })
  expect(refused(() => ledger.addCollateral('other', id, '1'))).toEqual({ not_found: {} })
})
