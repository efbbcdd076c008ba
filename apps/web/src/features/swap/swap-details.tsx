import { formatUnits } from '@clearwell/money/decimal'
import { m } from '../../generated/paraglide/messages.js'
import { cx } from '../../ui/cx.ts'
import { FactList } from '../../ui/fact-list.tsx'
import { formatAgo, formatAmount, formatPercent } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { refreshMarket, STALE_AFTER_MS, useNowMs, useQuote } from './swap.queries.ts'
import { fractionOfBps } from './swap-settings.ts'
import {
  boughtAsset,
  impactLevel,
  previewQuote,
  roundDecimals,
  type SwapTerms,
  soldAsset,
  type Trade,
  textOf,
  typedUnits,
} from './swap-terms.ts'

/** The preview is of one unit, rounded to 8 decimals (specification §5). */
const PREVIEW_AMOUNT = '1'
const PREVIEW_PLACES = 8
/** Decimals of a figure, and of one below 1. */
const PLACES = 6
const SMALL_PLACES = 8

/** The rate with its age, and the terms of the amount that was typed. */
export function SwapDetails({
  trade,
  terms,
  isStale,
  answeredAtMs,
}: {
  trade: Trade
  terms: SwapTerms | undefined
  isStale: boolean
  /** When the server last answered for the amount; 0 before it did. */
  answeredAtMs: number
}) {
  return (
    <section aria-label={m.swap_terms()} className="rounded-card border border-line px-4 py-1">
      <Rate trade={trade} isStale={isStale} answeredAtMs={answeredAtMs} />
      {terms && (
        <div className="border-t border-line">
          <FactList facts={termFacts(terms, trade)} />
          {impactLevel(terms.priceImpactE18) !== 'low' && (
            <p className="flex gap-2 border-t border-line py-2.5 text-warn">
              <Icon name="triangle-alert" />
              {m.swap_impact_warning({ percent: impactText(terms) })}
            </p>
          )}
        </div>
      )}
    </section>
  )
}

/** The facts that form and confirmation share. */
export function termFacts(terms: SwapTerms, trade: Trade) {
  const { sold, bought } = terms
  return [
    { label: m.swap_minimum(), value: figure(terms.minOut, bought) },
    { label: m.swap_impact(), value: <Impact terms={terms} /> },
    {
      label: m.swap_fee({ percent: formatPercent(fractionOfBps(trade.fees.totalBps)) }),
      value: (
        <>
          {paid(terms.fee, terms)} {sold}
          <span className="block text-label text-muted">
            {m.swap_fee_parts({ pool: paid(terms.feeToPool, terms), revenue: paid(terms.feeToRevenue, terms) })}
          </span>
        </>
      ),
    },
    { label: m.swap_at_mid(), value: figure(terms.amountOutAtMid, bought) },
    { label: m.swap_slippage(), value: formatPercent(fractionOfBps(terms.slippageBps)) },
  ]
}

/** An amount with its asset, cut (so never shown greater than it is) where more digits would tell nothing. */
export function figure(units: bigint, asset: SwapTerms['sold']): string {
  const text = textOf(units, asset)
  return `${formatAmount(text, { places: text.startsWith('0.') ? SMALL_PLACES : PLACES })} ${asset}`
}

/** Up: a fee is never shown smaller than it is. */
export function paid(units: bigint, { sold }: Pick<SwapTerms, 'sold'>): string {
  return formatAmount(roundDecimals(textOf(units, sold), SMALL_PLACES, 'up'), { places: SMALL_PLACES })
}

export function impactText({ priceImpactE18 }: Pick<SwapTerms, 'priceImpactE18'>): string {
  return formatPercent(formatUnits(priceImpactE18, 18))
}

function Impact({ terms }: { terms: SwapTerms }) {
  const tone = { low: '', warned: 'text-warn', confirmed_twice: 'font-semibold text-warn' }
  return <span className={tone[impactLevel(terms.priceImpactE18)]}>{impactText(terms)}</span>
}

function Rate({ trade, isStale, answeredAtMs }: { trade: Trade; isStale: boolean; answeredAtMs: number }) {
  const sold = soldAsset(trade)
  const bought = boughtAsset(trade)
  const one = useQuote({ ...trade, amount: PREVIEW_AMOUNT })
  const local = previewQuote(trade, typedUnits(PREVIEW_AMOUNT, sold) ?? 0n)
  const amount = one.data?.amount_out ?? (local && textOf(local.amountOut, bought))
  const seconds = Math.max(0, Math.floor((useNowMs() - Math.max(answeredAtMs, one.dataUpdatedAt)) / 1_000))
  const stale = isStale || one.isError || seconds * 1_000 >= STALE_AFTER_MS
  return (
    <div className="flex min-h-14 items-center justify-between gap-2 py-1">
      <span className="flex min-w-0 flex-col">
        <span className="figures">
          {amount &&
            m.swap_rate({
              sold,
              amount: formatAmount(roundDecimals(amount, PREVIEW_PLACES, 'nearest'), { places: PREVIEW_PLACES }),
              bought,
            })}
        </span>
        {one.data && (
          <span className="figures text-label text-muted">
            {m.swap_age({ ago: formatAgo(seconds) })} {stale && <span className="text-warn">· {m.ui_stale()}</span>}
          </span>
        )}
      </span>
      <IconButton
        icon="refresh-cw"
        label={m.swap_refresh()}
        onClick={refreshMarket}
        className={cx('-me-3', one.isFetching && 'text-accent')}
      />
    </div>
  )
}
