import { borrowRate } from '@clearwell/rules/interest'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { useId } from 'react'
import { m } from '../../generated/messages.ts'
import { curveOf, fractionE18, textOfE18 } from './lending-figures.ts'
import type { MarketPool } from './stake.queries.ts'

const E18 = 10n ** 18n
const CHART = { width: 326, height: 150, left: 4, right: 322, top: 24, bottom: 126 }
/** Left of here the label of today's point is at its end side, so that it stays within the chart. */
const LABEL_FLIPS_AT = 0.5

/** The loan rate over the utilisation of a pool, with today's point on it. */
export function RateCurve({ pool }: { pool: MarketPool }) {
  const id = useId()
  const { zero, kink, full, now } = pointsOf(pool)
  const top = Math.max(full.rate, now.rate) || 1
  const x = (utilisation: number) => CHART.left + (CHART.right - CHART.left) * utilisation
  const y = (rate: number) => CHART.bottom - ((CHART.bottom - CHART.top) * rate) / top
  const line = [zero, kink, full].map((point) => `${x(point.at)},${y(point.rate)}`).join(' ')
  const isLeft = now.at < LABEL_FLIPS_AT
  const text = m.stake_curve_text({
    base: zero.rateText,
    kink: kink.atText,
    kinkRate: kink.rateText,
    fullRate: full.rateText,
    now: now.atText,
    rate: now.rateText,
  })
  return (
    <>
      <svg
        viewBox={`0 0 ${CHART.width} ${CHART.height}`}
        role="img"
        aria-labelledby={`${id}title ${id}desc`}
        className="h-auto w-full overflow-visible max-magnified:[&_text]:hidden"
      >
        <title id={`${id}title`}>{m.stake_curve({ asset: pool.asset })}</title>
        <desc id={`${id}desc`}>{text}</desc>
        <line x1={CHART.left} x2={CHART.right} y1={CHART.bottom} y2={CHART.bottom} className="stroke-line" />
        <line x1={x(kink.at)} x2={x(kink.at)} y1={CHART.top} y2={CHART.bottom} className="stroke-line" />
        <polygon points={`${line} ${x(1)},${CHART.bottom} ${x(0)},${CHART.bottom}`} className="fill-accent/10" />
        <polyline points={line} fill="none" strokeWidth="2" strokeLinejoin="round" className="stroke-accent" />
        <line
          x1={x(now.at)}
          x2={x(now.at)}
          y1={CHART.top - 4}
          y2={CHART.bottom}
          strokeDasharray="3 4"
          className="stroke-text"
        />
        <circle cx={x(now.at)} cy={y(now.rate)} r="5" strokeWidth="2" className="fill-accent stroke-surface" />
        <text
          x={x(now.at) + (isLeft ? 8 : -8)}
          y={CHART.top + 8}
          textAnchor={isLeft ? 'start' : 'end'}
          fontSize="12"
          className="figures fill-text font-semibold"
        >
          {m.stake_curve_now({ utilisation: now.atText })}
          <tspan x={x(now.at) + (isLeft ? 8 : -8)} dy="16" className="fill-muted">
            {m.stake_apr({ apr: now.rateText })}
          </tspan>
        </text>
        {[zero, kink, full].map((point, index) => (
          <text
            key={index}
            x={x(point.at)}
            y={CHART.height - 6}
            textAnchor={index === 0 ? 'start' : index === 2 ? 'end' : 'middle'}
            fontSize="12"
            className="figures fill-muted"
          >
            {index === 0 ? m.stake_curve_lent({ utilisation: point.atText }) : point.atText}
          </text>
        ))}
        <text x={CHART.right} y={CHART.top - 10} textAnchor="end" fontSize="12" className="figures fill-muted">
          {m.stake_apr({ apr: full.rateText })}
        </text>
      </svg>
      {/* Magnified, the labels in the drawing would be half as large as text: the sentence is below it instead. */}
      <p aria-hidden="true" className="hidden text-secondary text-muted max-magnified:block">
        {text}
      </p>
    </>
  )
}

interface CurvePoint {
  /** Fractions, for drawing. */
  readonly at: number
  readonly rate: number
  readonly atText: string
  readonly rateText: string
}

/** The ends and the kink of a curve, and the rate at the present utilisation. */
function pointsOf(pool: MarketPool): Readonly<Record<'zero' | 'kink' | 'full' | 'now', CurvePoint>> {
  const curve = curveOf(pool)
  const pointAt = (utilisationE18: bigint): CurvePoint => {
    const rateE18 = borrowRate(curve, utilisationE18)
    return {
      // Positions in a picture, not money.
      at: Number(utilisationE18) / Number(E18),
      rate: Number(rateE18) / Number(E18),
      atText: formatPercent(textOfE18(utilisationE18)),
      rateText: formatPercent(textOfE18(rateE18)),
    }
  }
  return {
    zero: pointAt(0n),
    kink: pointAt(curve.kinkE18),
    full: pointAt(E18),
    // The part above the kink moves by the hour, so the rate may be off its curve.
    now: {
      ...pointAt(fractionE18(pool.utilisation)),
      rate: Number(pool.loan_rate),
      rateText: formatPercent(pool.loan_rate),
    },
  }
}
