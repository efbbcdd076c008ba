import { formatUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import type { ReactNode } from 'react'
import { m } from '../../generated/paraglide/messages.js'
import { formatDate, formatPercent, formatTime } from '../../i18n/format.ts'
import { exactly, executionPrice, paid, received, textOf } from './swap-figures.ts'
import { fractionOfBps } from './swap-settings.ts'
import { type Amounts, type ExactSide, executionOf, impactLevel, type SwapTerms, type Trade } from './swap-terms.ts'

interface Fact {
  readonly label: string
  readonly value: ReactNode
}

/** The facts that form and confirmation share: what is certain, what it costs. */
export function termFacts(terms: SwapTerms, trade: Trade): Fact[] {
  const { sold } = terms
  return [
    limitFact(terms),
    { label: m.swap_impact(), value: <Impact terms={terms} /> },
    {
      label: m.swap_fee({ percent: formatPercent(fractionOfBps(trade.fees.totalBps)) }),
      value: (
        <>
          {paid(terms.fee, sold)}
          <span className="block text-label text-muted">
            {m.swap_fee_pool({ amount: paid(terms.feeToPool, sold) })}
          </span>
          <span className="block text-label text-muted">
            {m.swap_fee_revenue({ amount: paid(terms.feeToRevenue, sold) })}
          </span>
        </>
      ),
    },
  ]
}

/** What a confirmation says besides, the price of this very amount first. */
export function moreFacts(terms: SwapTerms, { inverse }: Pick<Trade, 'inverse'>): Fact[] {
  return [
    { label: m.swap_price_about(), value: executionPrice({ ...terms, inverse }, terms) },
    { label: m.swap_at_mid(), value: atMidText(terms) },
    { label: m.swap_slippage(), value: formatPercent(fractionOfBps(terms.slippageBps)) },
  ]
}

/** The least that is received for what is sold, or the most that is sold for what is bought. */
export function limitFact(terms: Pick<SwapTerms, 'exact' | 'limit' | 'sold' | 'bought'>): Fact {
  return terms.exact === 'in'
    ? { label: m.swap_minimum(), value: received(terms.limit, terms.bought) }
    : { label: m.swap_maximum(), value: paid(terms.limit, terms.sold) }
}

/** What the side that is not fixed would come to at the mid price, without fee and impact. */
function atMidText({ exact, amountIn, amountOut, amountOutAtMid, sold, bought }: SwapTerms): string {
  if (exact === 'in' || amountOutAtMid === 0n) return received(amountOutAtMid, bought)
  return paid(mulDiv(amountOut, amountIn, amountOutAtMid, 'up'), sold)
}

/** How much more is paid, or less received, than at the quote that was agreed to first. */
export function sinceQuoteFact(quoted: SwapTerms, now: SwapTerms): Fact {
  const { was, fraction } = executionOf(now.exact, { quoted, done: now })
  const value = formatPercent(was === 'worse' ? `-${fraction}` : fraction, { signed: true })
  return { label: m.swap_since_quote(), value: <span className={was === 'worse' ? 'text-warn' : ''}>{value}</span> }
}

/** What is fixed, to the last unit. */
export function exactFact({ exact, amount, sold, bought }: SwapTerms): { label: string; value: string } {
  return exact === 'in'
    ? { label: m.swap_sell_exactly(), value: exactly(textOf(amount, sold), sold) }
    : { label: m.swap_buy_exactly(), value: exactly(textOf(amount, bought), bought) }
}

/** What follows from it at the quote, and may still change within the limit. */
export function expectedText(
  { exact, sold, bought }: { exact: ExactSide } & Pick<SwapTerms, 'sold' | 'bought'>,
  { amountIn, amountOut }: Amounts,
): string {
  return exact === 'in' ? received(amountOut, bought) : paid(amountIn, sold)
}

export function expectedLabel(exact: ExactSide): string {
  return exact === 'in' ? m.swap_expected() : m.swap_expected_in()
}

export function impactText({ priceImpactE18 }: Pick<SwapTerms, 'priceImpactE18'>): string {
  return formatPercent(formatUnits(priceImpactE18, 18))
}

/** A moment to the second: swaps follow on each other. */
export function momentText(iso: string): string {
  return `${formatDate(iso)} ${formatTime(iso)}`
}

function Impact({ terms }: { terms: SwapTerms }) {
  const level = impactLevel(terms.priceImpactE18)
  if (level === 'low') return impactText(terms)
  const word = level === 'warned' ? m.swap_impact_warned() : m.swap_impact_confirmed_twice()
  return (
    <span className={level === 'warned' ? 'text-warn' : 'font-semibold text-warn'}>
      {impactText(terms)} · {word}
    </span>
  )
}
