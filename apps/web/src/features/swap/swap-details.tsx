import { cx } from '../../browser/cx.ts'
import { FactList } from '../../components/fact-list.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatAgo, formatAmount } from '../../i18n/format.ts'
import { pairName } from './pair-header.tsx'
import { expiryMs, useIsPast } from './quote-age.ts'
import { refreshMarket, useNowMs, useQuote } from './swap.queries.ts'
import { impactText, termFacts } from './swap-facts.tsx'
import { inverseRate, priceIn, roundDecimals, textOf, typedUnits } from './swap-figures.ts'
import { Warning } from './swap-notes.tsx'
import { boughtAsset, impactLevel, previewQuote, type SwapTerms, soldAsset, type Trade } from './swap-terms.ts'

/** The preview is of one unit, rounded to 8 decimals (specification §5). */
const PREVIEW_AMOUNT = '1'
const PREVIEW_PLACES = 8

/** The rate with its age, and the terms of the amount that was typed. */
export function SwapDetails({
  trade,
  terms,
  isStale,
  answeredAtMs,
}: {
  trade: Trade
  terms: SwapTerms | undefined
  /** The pools or the quote could not be asked again. */
  isStale: boolean
  /** When the server last answered for the amount; 0 before it did. */
  answeredAtMs: number
}) {
  return (
    <>
      {terms && impactLevel(terms.priceImpactE18) !== 'low' && (
        <Warning text={m.swap_impact_warning({ percent: impactText(terms) })} />
      )}
      <section aria-label={m.swap_terms()} className="rounded-card border border-line px-4 py-1">
        <Rate trade={trade} terms={terms} isStale={isStale} answeredAtMs={answeredAtMs} />
        {terms && (
          <div className="border-t border-line">
            <FactList
              facts={[
                ...termFacts(terms, trade),
                { label: m.swap_route(), value: m.swap_route_pool({ pair: pairName(trade.pair) }) },
              ]}
            />
          </div>
        )}
      </section>
    </>
  )
}

/**
 * The price both ways, and how old it is: of what was typed, and of one unit before anything was. A large amount has
 * another price than one unit.
 */
function Rate({ trade, terms, isStale, answeredAtMs }: Parameters<typeof SwapDetails>[0]) {
  const sold = soldAsset(trade)
  const bought = boughtAsset(trade)
  const one = useQuote({ ...trade, amount: PREVIEW_AMOUNT })
  const local = previewQuote(trade, { exact: 'in', amount: typedUnits(PREVIEW_AMOUNT, sold) ?? 0n })
  const unitRate = one.data?.amount_out ?? (local && textOf(local.amountOut, bought))
  const [rate, back] = terms?.amountOut ? ratesOf(terms) : [unitRate, unitRate && inverseRate(unitRate)]
  const answeredMs = Math.max(answeredAtMs, one.dataUpdatedAt)
  const isPast = useIsPast(expiryMs(one.data, answeredMs))
  const seconds = Math.max(0, Math.floor((useNowMs() - answeredMs) / 1_000))
  const words = (from: string, amount: string, to: string) =>
    m.swap_rate({
      sold: from,
      amount: formatAmount(roundDecimals(amount, PREVIEW_PLACES, 'nearest'), { places: PREVIEW_PLACES }),
      bought: to,
    })
  return (
    <div className="flex min-h-18 items-center justify-between gap-2 py-2">
      <span className="figures flex min-w-0 flex-col">
        <span>{rate && words(sold, rate, bought)}</span>
        <span className="text-label text-muted">{back && words(bought, back, sold)}</span>
        <span className="text-label text-muted">
          {trade.pair.suspended ? m.swap_suspended() : one.data && ageText(seconds)}
          {!trade.pair.suspended && (isStale || one.isError || (one.data && isPast)) && (
            <span className="text-warn"> · {m.ui_stale()}</span>
          )}
        </span>
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

function ratesOf({ amountIn, amountOut, sold, bought }: SwapTerms): [string, string] {
  const [given, taken] = [
    { units: amountIn, asset: sold },
    { units: amountOut, asset: bought },
  ]
  return [priceIn(taken, given), priceIn(given, taken)]
}

/** How old the rate is. A second or less is no age that anybody could read. */
function ageText(seconds: number): string {
  return seconds < 2 ? m.swap_age_now() : m.swap_age({ ago: formatAgo(seconds) })
}
