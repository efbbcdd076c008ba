import type { AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import type { BadgeTone } from '@clearwell/ui/components/badge.tsx'
import { Warning } from '@clearwell/ui/components/stage-parts.tsx'
import { formatChange, formatPercent } from '@clearwell/ui/i18n/format.ts'
import type { ReactNode } from 'react'
import { ExactAmount } from '../../components/exact-amount.tsx'
import { m } from '../../generated/messages.ts'
import type { SwapOrder } from './swap.queries.ts'
import { exactly, executionPrice, paid, received, textOf } from './swap-figures.ts'
import { fractionOfBps } from './swap-settings.ts'
import {
  type Amounts,
  type ExactSide,
  executionOf,
  lossLevel,
  type Pair,
  type SwapTerms,
  type Trade,
  worstLoss,
} from './swap-terms.ts'

interface Fact {
  readonly label: string
  readonly value: ReactNode
}

/** The facts that form and confirmation always show: limit, price impact, difference to spot and fee. */
export function mainFacts(terms: SwapTerms, { fees }: Pick<Trade, 'fees'>): Fact[] {
  const { sold, fee, spotLossE18 } = terms
  return [
    limitFact(terms),
    { label: m.swap_impact(), value: <Loss lossE18={terms.priceImpactE18} text={impactText(terms)} /> },
    ...(spotLossE18 === undefined
      ? []
      : [{ label: m.swap_spot_gap(), value: <Loss lossE18={spotLossE18} text={spotGapText(spotLossE18)} /> }]),
    {
      label: m.swap_fee({ percent: formatPercent(fractionOfBps(fees.totalBps)) }),
      value: <ExactAmount amount={textOf(fee, sold)} asset={sold} text={paid(fee, sold)} />,
    },
  ]
}

/** The facts that form and confirmation fold: the parts of the fee. */
export function foldedFacts(terms: SwapTerms): Fact[] {
  const { sold, feeToPool, feeToRevenue } = terms
  return [
    {
      label: m.swap_fee_split(),
      value: (
        <>
          <span className="block">{m.swap_fee_pool({ amount: paid(feeToPool, sold) })}</span>
          <span className="block">{m.swap_fee_revenue({ amount: paid(feeToRevenue, sold) })}</span>
        </>
      ),
    },
  ]
}

/** The further facts of a confirmation, starting with the price of this amount. */
export function moreFacts(terms: SwapTerms, { inverse }: Pick<Trade, 'inverse'>): Fact[] {
  return [
    { label: m.swap_price_about(), value: executionPrice({ ...terms, inverse }, terms) },
    { label: m.swap_at_mid(), value: atMidText(terms) },
    { label: m.swap_slippage(), value: formatPercent(fractionOfBps(terms.slippageBps)) },
  ]
}

/** The minimum received for an exact sold amount, or the maximum sold for an exact bought amount. */
export function limitFact(terms: Pick<SwapTerms, 'exact' | 'limit' | 'sold' | 'bought'>): Fact {
  return terms.exact === 'in'
    ? { label: m.swap_minimum(), value: limitAmount(terms.limit, terms.bought, received) }
    : { label: m.swap_maximum(), value: limitAmount(terms.limit, terms.sold, paid) }
}

function limitAmount(units: bigint, asset: AssetId, shorten: typeof paid): ReactNode {
  return <ExactAmount amount={textOf(units, asset)} asset={asset} text={shorten(units, asset)} />
}

/** The calculated amount at the mid price, without fee and price impact. */
function atMidText({ exact, amountIn, amountOut, amountOutAtMid, sold, bought }: SwapTerms): string {
  if (exact === 'in' || amountOutAtMid === 0n) return received(amountOutAtMid, bought)
  return paid(mulDiv(amountOut, amountIn, amountOutAtMid, 'up'), sold)
}

/** The change of the calculated amount since the first quote. */
export function sinceQuoteFact(quoted: SwapTerms, now: SwapTerms): Fact {
  const { was, fraction } = executionOf(now.exact, { quoted, done: now })
  const value = formatPercent(was === 'worse' ? `-${fraction}` : fraction, { signed: true })
  return { label: m.swap_since_quote(), value: <span className={was === 'worse' ? 'text-warn' : ''}>{value}</span> }
}

/** The exact amount, to the last unit. */
export function exactFact({ exact, amount, sold, bought }: SwapTerms): { label: string; value: string } {
  return exact === 'in'
    ? { label: m.swap_sell_exactly(), value: exactly(textOf(amount, sold), sold) }
    : { label: m.swap_buy_exactly(), value: exactly(textOf(amount, bought), bought) }
}

/** The calculated amount at the quote; it may still change within the limit. */
export function expectedText(
  { exact, sold, bought }: { exact: ExactSide } & Pick<SwapTerms, 'sold' | 'bought'>,
  { amountIn, amountOut }: Amounts,
): string {
  return exact === 'in' ? received(amountOut, bought) : paid(amountIn, sold)
}

export function expectedLabel(exact: ExactSide): string {
  return exact === 'in' ? m.swap_expected() : m.swap_expected_in()
}

/**
 * The difference to the amount at the spot price: below zero where the swap gives less. Always with two decimals, because it
 * changes every second.
 */
function spotGapText(spotLossE18: bigint): string {
  return formatChange(formatUnits(-spotLossE18, 18))
}

/** The sentence about the larger loss of a swap: amber from the first limit, red from the second. */
export function LossWarning({ terms }: { terms: SwapTerms }) {
  const { by, lossE18, level } = worstLoss(terms)
  if (level === 'low') return null
  const percent = formatPercent(formatUnits(lossE18, 18))
  return (
    <Warning
      text={by === 'impact' ? m.swap_impact_warning({ percent }) : m.swap_spot_warning({ percent })}
      tone={level === 'warned' ? 'warning' : 'danger'}
    />
  )
}

/** The texts of the second confirmation, by the kind of loss. */
export function largeLossWords(terms: SwapTerms): { title: string; text: string; advice: string } {
  const { by, lossE18 } = worstLoss(terms)
  const percent = formatPercent(formatUnits(lossE18, 18))
  return by === 'impact'
    ? { title: m.swap_impact_high(), text: m.swap_impact_high_text({ percent }), advice: m.swap_impact_high_warning() }
    : { title: m.swap_spot_high(), text: m.swap_spot_warning({ percent }), advice: m.swap_spot_high_advice() }
}

function impactText({ priceImpactE18 }: Pick<SwapTerms, 'priceImpactE18'>): string {
  return formatPercent(formatUnits(priceImpactE18, 18))
}

export function orderStatus(status: SwapOrder['status']): { text: string; tone: BadgeTone } {
  switch (status) {
    case 'pending':
      return { text: m.swap_status_pending(), tone: 'pending' }
    case 'completed':
      return { text: m.swap_status_completed(), tone: 'done' }
    case 'failed':
      return { text: m.swap_status_failed(), tone: 'warning' }
  }
}

export function pairName({ base, quote }: Pick<Pair, 'base' | 'quote'>): string {
  return `${base}/${quote}`
}

/** A figure that can cost the user money: amber with a word from the first limit, red from the second. */
function Loss({ lossE18, text }: { lossE18: bigint; text: string }) {
  const level = lossLevel(lossE18)
  if (level === 'low') return text
  const word = level === 'warned' ? m.swap_impact_warned() : m.swap_impact_confirmed_twice()
  return (
    <span className={level === 'warned' ? 'text-warn' : 'font-semibold text-down'}>
      {text} · {word}
    </span>
  )
}
