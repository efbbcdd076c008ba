import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { factsIn } from '../../testing/facts.ts'
import { endFacts, repaidFacts } from './loan-facts.tsx'
import { LOAN } from './stake.samples.ts'

afterEach(() => showLocale('zh-HK'))

const OVER = { ...LOAN, status: 1 as const, borrowed_amount: '55', interest_due: '0', total_debt: '0', ltv: null }
const CLOSED = { ...OVER, liquidation_price: null, estimated_liquidation_time: null, paid: '55.000001' }

const shown = (loan: Parameters<typeof repaidFacts>[0]) =>
  factsIn(renderToStaticMarkup(<FactList facts={repaidFacts(loan)} />))

test.each([
  ['en', ['Paid: 55.000001 USDT', 'Collateral amount: 1 BNB', 'Loan rate at opening: 0.55% a year']],
  ['zh-HK', ['已付: 55.000001 USDT', '抵押品數量: 1 BNB', '借入時的利率: 年利率 0.55%']],
] as const)('a loan repaid in full shows what was paid in %s', (locale, facts) => {
  showLocale(locale)
  expect(shown(CLOSED)).toEqual(facts)
})

const PAID_BACK = { ...OVER, repaid: '55.4', interest_paid: '0.4', ended_at: '2030-01-20T08:30:00.000Z' }

test.each([
  ['en', ['Repaid: 55.4 USDT', 'Interest paid: 0.4 USDT', 'Repaid in full on: 20 Jan 2030 08:30']],
  ['zh-HK', ['已還款項: 55.4 USDT', '已付利息: 0.4 USDT', '還清時間: 2030年1月20日 08:30']],
] as const)('a completed loan shows its repayments and their time in %s', (locale, facts) => {
  showLocale(locale)
  expect(factsIn(renderToStaticMarkup(<FactList facts={endFacts(PAID_BACK)} />))).toEqual(facts)
})

test('a completed loan shows its end, an open one none', () => {
  showLocale('en')
  const facts = (loan: Parameters<typeof endFacts>[0]) => endFacts(loan).map(({ label }) => label)
  expect(facts({ ...OVER, ended_at: PAID_BACK.ended_at })).toEqual(['Repaid in full on'])
  expect(facts({ ...LOAN, repaid: '10', interest_paid: '0.1' })).toEqual([])
  expect(facts({ ...PAID_BACK, status: -1 })).toEqual([])
})

test('a payment is never shown smaller than it was', () => {
  showLocale('en')
  expect(shown({ ...CLOSED, paid: '200.0000034' })[0]).toBe('Paid: 200.000004 USDT')
  expect(factsIn(renderToStaticMarkup(<FactList facts={endFacts({ ...PAID_BACK, repaid: '200.0000034' })} />))[0]).toBe(
    'Repaid: 200.000004 USDT',
  )
})

test('a debt and its interest are short and never too small', () => {
  showLocale('en')
  const owed = { ...LOAN, interest_due: '0.00000164098', total_debt: '390.00000164098' }
  const facts = shown({ ...owed, paid: '10' })
  expect(facts).toContain('Interest due: 0.000002 USDT')
  expect(facts).toContain('Total debt: 390.000002 USDT')
  expect(shown({ ...owed, interest_due: '0.000000001', paid: '10' }).join()).toMatch(
    /Interest due: [^,]*less than 0.000001/,
  )
})

test('a part payment shows what was paid and what is still owed', () => {
  showLocale('en')
  const facts = shown({ ...LOAN, paid: '10' })
  expect(facts.slice(0, 2)).toEqual(['Paid: 10 USDT', 'Borrowed amount: 390 USDT'])
  expect(facts.some((fact) => fact.startsWith('Repayment time'))).toBe(true)
})

test.each([
  ['en', 'Estimated liquidation time: At the repayment time, if not repaid'],
  ['zh-HK', '預計清算時間: 還款時間，如屆時仍未還清'],
] as const)('a loan that only its term liquidates says so in %s', (locale, fact) => {
  showLocale(locale)
  expect(shown({ ...LOAN, estimated_liquidation_time: LOAN.repayment_time })).toContain(fact)
})
