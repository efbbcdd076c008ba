import { refusalOf } from '@clearwell/ledger/testing/memory-ledger'
import { LendingLedger } from '../../../testing/lending-ledger.ts'

/** A ledger with a pool of 30,000 USDT, so that 3,900 are less than a fifth, and a borrower with 10 BNB. */
export function newPledgedPool(): LendingLedger {
  const ledger = new LendingLedger()
  ledger.join('pledger', 'user', 'other')
  ledger.give('pledger', 'USDT', '30000')
  ledger.give('user', 'BNB', '10')
  ledger.give('user', 'USDT', '500')
  ledger.pledge('pledger', '30000')
  return ledger
}

/** The name of the refusal, and its data. */
export function refused(act: () => unknown): unknown {
  const { refusal, data } = refusalOf(act)
  return { [refusal]: data }
}
