import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, test } from 'vitest'
import { BNB_POOL } from './swap.samples.ts'
import { LossWarning, mainFacts, moreFacts, sinceQuoteFact } from './swap-facts.tsx'
import { type ExactSide, feesOf, previewQuote, type SwapTerms, termsAt, termsOf } from './swap-terms.ts'

const E18 = 10n ** 18n
const trade = { pair: BNB_POOL, inverse: false, fees: feesOf({ swap_total: '0.0025', swap_revenue: '0.0008' }) }

beforeEach(() => showLocale('en'))

function termsFor(exact: ExactSide, amount: bigint): SwapTerms {
  const quote = previewQuote(trade, { exact, amount })
  if (!quote) throw new Error('there is something to trade')
  return termsOf(trade, quote, { exact, amount, slippageBps: 50n })
}

test.each([
  ['sale', 'in', E18, '620 USDT'],
  // 1000 ÷ 620, rounded up.
  ['purchase', 'out', 1_000n * E18, '1.612904 BNB'],
] as const)('the mid price fact excludes fee and impact for an exact %s', (_what, exact, amount, shown) => {
  expect(moreFacts(termsFor(exact, amount), trade).map(({ value }) => value)).toContain(shown)
})

test('a moved price shows the change since the quote, not impact', () => {
  const terms = termsFor('in', E18)
  const moved = termsAt(trade, terms, { amountIn: E18, amountOut: (terms.amountOut * 9n) / 10n })
  const { value } = sinceQuoteFact(terms, moved)
  expect(renderToStaticMarkup(value)).toContain('−10%')
})

test.each([
  ['zero', 0n, 'Price impact: 0%', 'Difference to spot: 0.00%', ''],
  ['0.2 %', E18 / 500n, 'Price impact: 0%', 'Difference to spot: −0.20%', ''],
  ['1 %', E18 / 100n, 'Price impact: 0%', 'Difference to spot: −1.00% · high', 'text-warn'],
  ['3 %', (E18 * 3n) / 100n, 'Price impact: 0%', 'Difference to spot: −3.00% · very high', 'text-down'],
])('a spot loss of %s shows in the main rows', (_loss, spotLossE18, impact, gap, tone) => {
  const terms = { ...termsFor('in', E18), priceImpactE18: 0n, spotLossE18 }
  const rows = mainFacts(terms, trade).map(({ label, value }) => [label, renderToStaticMarkup(value)] as const)
  const texts = rows.map(([label, html]) => `${label}: ${html.replace(/<[^>]*>/g, '')}`)
  expect(texts).toContain(impact)
  expect(texts).toContain(gap)
  const warning = renderToStaticMarkup(<LossWarning terms={terms} />)
  if (tone === '') expect(warning).toBe('')
  else expect(warning).toContain(tone)
})
