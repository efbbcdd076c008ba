import type { Command, Plan } from '@clearwell/ledger/command'
import { LendingLedger } from '@clearwell/server/src/testing/lending-ledger.ts'
import { expect, test } from 'vitest'
import { LoanOrders } from './loan-orders.ts'
import { accountOf, entryOf } from './testing/entry.ts'

const LOAN = ['a:available BNB -10', 'a:collateral BNB 10', 'lending:USDT:cash USDT -3000', 'a:available USDT 3000']
/** The collateral is worth 2,000 for the liquidator, and 1,000 are missing. */
const CLEARED = ['a:collateral BNB -10', 'b:available BNB 10', 'b:available USDT -2000']

/** Judges entries of one order. @param insurance what it has before the last one */
function faultOf(insurance: bigint, ...entries: (readonly [kind: string, lines: readonly string[]])[]) {
  const orders = new LoanOrders()
  const balanceOf = (account: string) => (account === 'insurance' ? insurance : 0n)
  return entries.map(([kind, lines]) => orders.take(entryOf(kind, lines), balanceOf)).at(-1)
}

test.each<[string, bigint, readonly string[]]>([
  [
    'without a loss',
    9n,
    ['a:collateral BNB -10', 'b:available BNB 10', 'b:available USDT -3000', 'lending:USDT:cash USDT 3000'],
  ],
  ['that insurance pays', 1_500n, [...CLEARED, 'insurance USDT -1000', 'lending:USDT:cash USDT 3000']],
  ['that insurance pays a part of', 400n, [...CLEARED, 'insurance USDT -400', 'lending:USDT:cash USDT 2400']],
  ['that pledgers bear alone', 0n, [...CLEARED, 'lending:USDT:cash USDT 2000']],
])('accepts a loan cleared %s', (_what, insurance, lines) => {
  expect(faultOf(insurance, ['loan', LOAN], ['liquidation', lines])).toBeUndefined()
})

test.each<[string, bigint, readonly string[], string]>([
  ['insurance keeps money', 1_500n, [...CLEARED, 'lending:USDT:cash USDT 2000'], 'pledgers bear a loss of 1000'],
  [
    'insurance keeps a unit',
    400n,
    [...CLEARED, 'insurance USDT -399', 'lending:USDT:cash USDT 2399'],
    'pledgers bear a loss of 601',
  ],
  [
    'insurance gains',
    0n,
    [...CLEARED, 'insurance USDT 1', 'lending:USDT:cash USDT 1999'],
    'pledgers bear a loss of 1001',
  ],
  [
    'the reserve gains',
    0n,
    [...CLEARED, 'lending:USDT:reserve USDT 1', 'lending:USDT:cash USDT 1999'],
    'the reserve a part',
  ],
  [
    'the borrower pays',
    0n,
    [...CLEARED, 'a:available USDT -1000', 'lending:USDT:cash USDT 3000'],
    'has the borrower pay',
  ],
  [
    'insurance pays and collateral goes back',
    1_500n,
    [
      'a:collateral BNB -10',
      'b:available BNB 9',
      'a:available BNB 1',
      'b:available USDT -2000',
      'insurance USDT -1000',
      'lending:USDT:cash USDT 3000',
    ],
    'while the borrower gets collateral back',
  ],
  [
    'it takes too much collateral',
    0n,
    ['a:collateral BNB -11', 'b:available BNB 11', 'b:available USDT -3000', 'lending:USDT:cash USDT 3000'],
    'more collateral than',
  ],
  [
    'it takes collateral of another',
    0n,
    ['b:collateral BNB -10', 'b:available BNB 10', 'b:available USDT -3000', 'lending:USDT:cash USDT 3000'],
    'another borrower',
  ],
])('finds a liquidation in which %s', (_what, insurance, lines, message) => {
  expect(faultOf(insurance, ['loan', LOAN], ['liquidation', lines])).toContain(message)
})

test('finds a loan that ends unpaid, or that is not open', () => {
  const back = ['a:collateral BNB -10', 'a:available BNB 10']
  const paid = ['a:available USDT -2999', 'lending:USDT:cash USDT 2999']
  expect(faultOf(0n, ['loan', LOAN], ['loan_repayment', paid], ['collateral_returned', back])).toContain(
    'with 1 base units unpaid',
  )
  expect(faultOf(0n, ['loan', LOAN], ['loan', LOAN])).toContain('opens an order that is open')
  expect(faultOf(0n, ['collateral_returned', back])).toContain('is of no open order')
})

/** The lending market of the server, with each of its entries judged. */
class JudgedLending extends LendingLedger {
  readonly orders = new LoanOrders()
  readonly faults: string[] = []
  readonly kinds: string[] = []

  override plan<Result>(command: Command<Result>): Plan<Result> {
    const plan = super.plan(command)
    const moved = new Map<string, bigint>()
    const balanceOf = (account: string, asset: string) =>
      this.balance(account, asset) + (moved.get(`${account} ${asset}`) ?? 0n)
    for (const { kind, reference, postings } of plan.entries ?? []) {
      const lines = postings.map(({ account, asset, units }) => [account, asset, `${units}`] as const)
      const fault = this.orders.take(['1', kind, this.now.toISOString(), reference, lines], balanceOf)
      if (fault) this.faults.push(fault)
      this.kinds.push(kind)
      for (const { account, asset, units } of postings)
        moved.set(`${account} ${asset}`, (moved.get(`${account} ${asset}`) ?? 0n) + units)
    }
    return plan
  }
}

test.each([0, 50, 5_000])('accepts loans of the server with %i USDT of insurance', (insurance) => {
  const [pledger, borrower, liquidator] = [accountId('c3'), accountId('a1'), accountId('b2')]
  const ledger = new JudgedLending()
  ledger.join(pledger, borrower, liquidator)
  ledger.give(pledger, 'USDT', '100000')
  ledger.pledge(pledger, '100000')
  ledger.add('insurance', 'USDT', BigInt(insurance) * 10n ** 18n)
  ledger.give(borrower, 'BNB', '100')
  ledger.give(liquidator, 'USDT', '50000')
  const borrow = (collateral: string) => ledger.borrow(borrower, collateral, '3000').order_id
  const [repaid, halved, lost, late] = [borrow('11'), borrow('10'), borrow('10'), borrow('12')]
  ledger.advance(86_400)
  ledger.give(borrower, 'USDT', '1000')
  ledger.setPrice('600')
  ledger.addCollateral(borrower, repaid, '1')
  ledger.removeCollateral(borrower, repaid, '1')
  ledger.repay(borrower, repaid, '1000')
  ledger.repay(borrower, repaid, 'all')
  ledger.setPrice('360')
  ledger.judge(halved, lost)
  ledger.liquidate(liquidator, halved)
  ledger.setPrice('250')
  ledger.judge(halved, lost, late)
  ledger.liquidate(liquidator, halved, { amount: '200' })
  ledger.liquidate(liquidator, halved)
  ledger.liquidate(liquidator, lost)
  ledger.liquidate(liquidator, late, { amount: '1000' })
  ledger.repay(borrower, late, 'all')
  expect(ledger.faults).toEqual([])
  expect(ledger.kinds.filter((kind) => kind === 'liquidation')).toHaveLength(5)
})

function accountId(byte: string): string {
  expect(accountOf('a:available')).toContain('a1a1')
  return `0x${byte.repeat(20)}`
}
