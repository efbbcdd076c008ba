import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { forgetForm, keepForm } from '../../api/kept-forms.ts'
import { queryClient } from '../../api/query-client.ts'
import { textOf } from '../../testing/facts.ts'
import { OverdueNote, RepayForm } from './repay-sheet.tsx'
import { LOAN } from './stake.samples.ts'
import { repayForm } from './stake-search.ts'

const DUE = '2030-01-02T00:00:00.000Z'

test.each([
  ['before its time', 0, '2030-01-01T23:59:59.000Z', ''],
  [
    'after its time',
    0,
    DUE,
    'The repayment time has passed, so anyone can liquidate this loan. Only full repayment prevents that.',
  ],
  ['that is repaid', 1, DUE, ''],
] as const)('a repayment of a loan %s says whether a part helps', (_name, status, now, text) => {
  vi.useFakeTimers({ now: new Date(now) })
  showLocale('en')
  expect(textOf(renderToStaticMarkup(<OverdueNote loan={{ status, repayment_time: DUE }} />))).toBe(text)
  vi.useRealTimers()
})

/** The buttons of the form with this much available: how each looks, and its words. */
function buttonsWith(available: string, amount: string): string[] {
  showLocale('en')
  const form = repayForm(LOAN.order_id)
  keepForm(form, { owner: '', asked: {}, fields: { amount } })
  onTestFinished(() => {
    forgetForm(form)
    queryClient.clear()
  })
  queryClient.setQueryData(['balances', {}], [{ asset: 'USDT', available }])
  const html = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <RepayForm loan={LOAN} leastLoan="10" onContinue={() => {}} />
    </QueryClientProvider>,
  )
  const foot = html.slice(html.indexOf('sheet-foot'))
  return [...foot.matchAll(/<button[^>]*class="[^"]* (bg-accent|border-line|bg-input) [^>]*>(.*?)<\/button>/gs)].map(
    ([, fill = '', words = '']) => `${fill}: ${textOf(words)}`,
  )
}

test.each([
  ['1000', '', ['bg-accent: Repay in full', 'border-line: Continue']],
  ['100', '', ['border-line: Continue', 'bg-input: Repay in full']],
  ['1000', '50', ['bg-accent: Continue', 'bg-input: Repay in full']],
])('a repayment with %s available and %j typed offers %j', (available, amount, buttons) => {
  expect(buttonsWith(available, amount)).toEqual(buttons)
})
