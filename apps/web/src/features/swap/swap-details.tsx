import { cx } from '@clearwell/ui/browser/cx.ts'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { ShownAmounts } from '@clearwell/ui/components/shown-amounts.tsx'
import { formatAgo, formatAmount } from '@clearwell/ui/i18n/format.ts'
import { currentLocale } from '@clearwell/ui/i18n/locale.ts'
import { useEffect, useState } from 'react'
import { m } from '../../generated/messages.ts'
import { Fold } from './fold.tsx'
import { FreshnessRing, useNowMs } from './freshness-ring.tsx'
import { expiryMs, refreshMarket, useIsPast, useQuote } from './swap.queries.ts'
import { exactFact, expectedLabel, expectedText, foldedFacts, LossWarning, mainFacts, pairName } from './swap-facts.tsx'
import { exactUnits, inverseRate, priceIn, roundDecimals, textOf } from './swap-figures.ts'
import { boughtAsset, previewQuote, type SwapTerms, soldAsset, type Trade } from './swap-terms.ts'

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
      {terms && <LossWarning terms={terms} />}
      <section aria-label={m.swap_terms()} className="flex flex-col">
        <Rate trade={trade} terms={terms} isStale={isStale} quotedAtMs={quotedAtMs} />
        {terms && (
          // Of the amount that is being typed.
          <ShownAmounts>
            <FactList facts={mainFacts(terms, trade)} />
            <Fold label={m.swap_more()}>
              <FactList
                facts={[
                  ...foldedFacts(terms),
                  { label: m.swap_route(), value: m.swap_route_pool({ pair: pairName(trade.pair) }) },
                ]}
              />
            </Fold>
          </ShownAmounts>
        )}
      </section>
    </>
  )
}

/**
 * The price and its age: of the typed amount, since a large amount has another price than one unit, or of one unit while
 * nothing is typed. A press shows the price in the other direction.
 */
function Rate({ trade, terms, isStale, quotedAtMs }: Parameters<typeof SwapDetails>[0]) {
  const [isTurned, setTurned] = useState(false)
  const sold = soldAsset(trade)
  const bought = boughtAsset(trade)
  const one = useQuote({ ...trade, amount: PREVIEW_AMOUNT })
  const local = previewQuote(trade, { exact: 'in', amount: exactUnits(PREVIEW_AMOUNT, sold) })
  const unitRate = one.data?.amount_out ?? (local && textOf(local.amountOut, bought))
  const [rate, back] = terms?.amountOut ? ratesOf(terms) : [unitRate, unitRate && inverseRate(unitRate)]
  const newestAtMs = Math.max(quotedAtMs, one.dataUpdatedAt)
  const expiresAtMs = expiryMs(one.data, newestAtMs)
  const isPast = useIsPast(expiresAtMs)
  const isOld = isStale || one.isError || (one.data !== undefined && isPast)
  const words = (from: string, amount: string, to: string) =>
    m.swap_rate({
      sold: from,
      amount: formatAmount(roundDecimals(amount, PREVIEW_DECIMALS, 'nearest'), { decimals: PREVIEW_DECIMALS }),
      bought: to,
    })
  const directions = [rate ? words(sold, rate, bought) : '', back ? words(bought, back, sold) : ''] as const
  const [shown, other] = isTurned ? [directions[1], directions[0]] : directions
  return (
    <div className="flex min-h-13 items-center justify-between gap-2 short:min-h-11">
      <span className="figures flex min-w-0 flex-col">
        <button
          type="button"
          title={other}
          disabled={other === ''}
          onClick={() => setTurned(!isTurned)}
          className="target text-start [overflow-wrap:anywhere] hover:text-accent"
        >
          {shown}
        </button>
        {trade.pair.suspended ? (
          <span className="text-label text-muted">{m.swap_suspended()}</span>
        ) : one.data ? (
          <Age atMs={newestAtMs} isOld={isOld} />
        ) : (
          // Its room, so that the rate does not move when the age comes.
          <span className="h-4" />
        )}
      </span>
      <FreshnessRing atMs={trade.pair.suspended ? 0 : newestAtMs} expiresAtMs={expiresAtMs} isOld={isOld}>
        <IconButton
          icon="refresh-cw"
          label={m.swap_refresh()}
          onClick={refreshMarket}
          className={cx(one.isFetching && 'text-accent')}
        />
      </FreshnessRing>
    </div>
  )
}

/** How long ago the server quoted. */
function Age({ atMs, isOld }: { atMs: number; isOld: boolean }) {
  const seconds = Math.max(0, Math.floor((useNowMs() - atMs) / 1_000))
  return (
    <span className="text-label text-muted">
      {ageText(seconds)}
      {isOld && <span className="text-warn"> · {m.ui_stale()}</span>}
    </span>
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
