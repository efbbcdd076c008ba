import { useEffect, useState } from 'react'
import { cx } from '../../browser/cx.ts'
import { FactList } from '../../components/fact-list.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatAgo, formatAmount } from '../../i18n/format.ts'
import { currentLocale } from '../../i18n/locale.ts'
import { expiryMs, refreshMarket, useIsPast, useQuote } from './swap.queries.ts'
import { exactFact, expectedLabel, expectedText, impactText, pairName, termFacts } from './swap-facts.tsx'
import { exactUnits, inverseRate, priceIn, roundDecimals, textOf } from './swap-figures.ts'
import { Warning } from './swap-parts.tsx'
import { boughtAsset, impactLevel, previewQuote, type SwapTerms, soldAsset, type Trade } from './swap-terms.ts'

/** The preview is of one unit, rounded to 8 decimals (specification §5). */
const PREVIEW_AMOUNT = '1'
const PREVIEW_DECIMALS = 8
/** Screen readers hear a new figure after a change of one 200th: half a percent. */
const ANNOUNCED_CHANGE_DIVISOR = 200n

/** The rate with its age, and the terms of the typed amount. */
export function SwapDetails({
  trade,
  terms,
  isStale,
  quotedAtMs,
}: {
  trade: Trade
  terms: SwapTerms | undefined
  /** The pools or the quote could not be refreshed. */
  isStale: boolean
  /** When the server last quoted the typed amount; 0 before it did. */
  quotedAtMs: number
}) {
  return (
    <>
      {terms && impactLevel(terms.priceImpactE18) !== 'low' && (
        <Warning text={m.swap_impact_warning({ percent: impactText(terms) })} />
      )}
      <section aria-label={m.swap_terms()} className="rounded-card border border-line px-4 py-1">
        <Rate trade={trade} terms={terms} isStale={isStale} quotedAtMs={quotedAtMs} />
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
 * The price in both directions and its age: of the typed amount, since a large amount has another price than one unit, or
 * of one unit while nothing is typed.
 */
function Rate({ trade, terms, isStale, quotedAtMs }: Parameters<typeof SwapDetails>[0]) {
  const sold = soldAsset(trade)
  const bought = boughtAsset(trade)
  const one = useQuote({ ...trade, amount: PREVIEW_AMOUNT })
  const local = previewQuote(trade, { exact: 'in', amount: exactUnits(PREVIEW_AMOUNT, sold) })
  const unitRate = one.data?.amount_out ?? (local && textOf(local.amountOut, bought))
  const [rate, back] = terms?.amountOut ? ratesOf(terms) : [unitRate, unitRate && inverseRate(unitRate)]
  const newestAtMs = Math.max(quotedAtMs, one.dataUpdatedAt)
  const isPast = useIsPast(expiryMs(one.data, newestAtMs))
  const seconds = Math.max(0, Math.floor((useNowMs() - newestAtMs) / 1_000))
  const words = (from: string, amount: string, to: string) =>
    m.swap_rate({
      sold: from,
      amount: formatAmount(roundDecimals(amount, PREVIEW_DECIMALS, 'nearest'), { decimals: PREVIEW_DECIMALS }),
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

/** The age of the rate. Up to a second it is "now", which is easier to read. */
function ageText(seconds: number): string {
  return seconds < 2 ? m.swap_age_now() : m.swap_age({ ago: formatAgo(seconds) })
}

/**
 * Announces the quote to screen readers: once for each typed amount, then after a change of half a percent or when the
 * quote expires. Announcing every poll would drown the rest.
 */
export function QuoteAnnouncement({ terms, isExpired }: { terms: SwapTerms | undefined; isExpired: boolean }) {
  const [announced, setAnnounced] = useState<{ of: string; units: bigint; text: string }>()
  useEffect(() => {
    if (!terms) return
    const { exact, amount, sold, bought, amountIn, amountOut } = terms
    const of = `${exact} ${amount} ${sold} ${bought} ${currentLocale()}`
    const units = exact === 'in' ? amountOut : amountIn
    const fixed = exactFact(terms)
    const text = m.swap_quote_announced({
      fixed: `${fixed.label} ${fixed.value}`,
      expected: `${expectedLabel(exact)} ${expectedText(terms, terms)}`,
    })
    setAnnounced((last) => (last?.of === of && !isWorthAnnouncing(last.units, units) ? last : { of, units, text }))
  }, [terms])
  return (
    <p role="status" className="sr-only">
      {isExpired ? m.ui_stale() : terms && announced?.text}
    </p>
  )
}

/** `true` if a figure has changed by half a percent since the last announcement. */
export function isWorthAnnouncing(announced: bigint | undefined, now: bigint): boolean {
  if (announced === undefined) return true
  const change = now > announced ? now - announced : announced - now
  return change * ANNOUNCED_CHANGE_DIVISOR >= announced
}

/** The time, once a second. */
function useNowMs(): number {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}
