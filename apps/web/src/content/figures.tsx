import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { type ReactNode, useId } from 'react'
import type { BlockOf } from '../../content/payload-schema.ts'
import { m } from '../generated/messages.ts'
import { borrowRate, rateCurveOf } from './borrow-rate.ts'
import { LiveFigure, LiveText, useLendingParameters, useLiveConfig } from './live-text.tsx'

type FigureBlock = BlockOf<'figure'>
type FigureOf<Name extends FigureBlock['name']> = Extract<FigureBlock, { name: Name }>

/** A diagram in the colours of the theme, under its title. */
export function ContentFigure({ block }: { block: FigureBlock }) {
  return (
    <figure className="flex flex-col gap-3 rounded-card border border-line bg-surface p-4">
      <figcaption className="font-semibold">{block.title}</figcaption>
      {drawing(block)}
    </figure>
  )
}

function drawing(block: FigureBlock): ReactNode {
  switch (block.name) {
    case 'flow':
      return <Flow block={block} />
    case 'split':
      return <Split block={block} />
    case 'utilisation':
      return <Utilisation block={block} />
    case 'ltv':
      return <LtvLines block={block} />
  }
}

/** A drawing with a name and a description for screen readers. */
function Drawing({
  block,
  width,
  height,
  children,
}: {
  block: FigureBlock
  width: number
  height: number
  children: ReactNode
}) {
  const id = useId()
  return (
    <>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-labelledby={`${id}title ${id}desc`}
        className="h-auto w-full overflow-visible max-magnified:[&_text]:hidden"
      >
        <title id={`${id}title`}>{block.title}</title>
        <desc id={`${id}desc`}>{block.description}</desc>
        {children}
      </svg>
      {/* Magnified, labels in the drawing would be half as large as text: the description is below it instead. */}
      <p aria-hidden="true" className="hidden text-secondary text-muted max-magnified:block">
        {block.description}
      </p>
    </>
  )
}

/** Vertical steps joined by a line. Their labels are text, so they wrap and screen readers read them. */
function Flow({ block }: { block: FigureOf<'flow'> }) {
  return (
    <ol className="flex flex-col">
      {block.steps.map((step, i) => (
        <li key={step.title} className="group flex gap-3">
          <svg aria-hidden="true" viewBox="0 0 28 28" className="relative z-1 size-7 shrink-0">
            <circle cx="14" cy="14" r="13" className="fill-surface stroke-accent" strokeWidth="1.5" />
            <text x="14" y="18.5" textAnchor="middle" fontSize="13" className="figures fill-text">
              {i + 1}
            </text>
          </svg>
          <div className="relative flex min-w-0 flex-col pb-4 before:absolute before:-start-6.5 before:top-7 before:bottom-0 before:w-px before:bg-line group-last:pb-0 group-last:before:hidden">
            <span className="pt-1">{step.title}</span>
            <span className="text-label text-muted">{step.text}</span>
          </div>
        </li>
      ))}
    </ol>
  )
}

const SPLIT_WIDTH = 320
const SPLIT_SHADES = ['opacity-100', 'opacity-70', 'opacity-45', 'opacity-25'] as const

/** The split of a fee's revenue, from the server's configuration. */
function Split({ block }: { block: FigureOf<'split'> }) {
  const { data } = useLiveConfig()
  const shares = data?.fees.revenue_split
  const parts = [
    { name: m.content_split_rewards(), share: shares?.rewards },
    { name: m.content_split_referral(), share: shares?.referral },
    { name: m.content_split_insurance(), share: shares?.insurance },
    { name: m.content_split_treasury(), share: shares?.treasury },
  ]
  let start = 0
  return (
    <>
      <Drawing block={block} width={SPLIT_WIDTH} height={28}>
        <rect width={SPLIT_WIDTH} height="28" rx="8" className="fill-line" />
        {parts.map(({ name, share }, i) => {
          // A width on the screen, not money.
          const width = Number(share ?? 0) * SPLIT_WIDTH
          const x = start
          start += width
          const gap = i === 0 ? 0 : 1.5
          return (
            <rect
              key={name}
              x={x + gap}
              width={Math.max(width - gap, 0)}
              height="28"
              rx="3"
              className={`fill-accent ${SPLIT_SHADES[i]}`}
            />
          )
        })}
      </Drawing>
      <dl className="flex flex-col gap-2">
        {parts.map(({ name, share }, i) => (
          <div key={name} className="flex items-baseline gap-2">
            <svg aria-hidden="true" viewBox="0 0 12 12" className="size-3 shrink-0 self-center">
              <rect width="12" height="12" rx="3" className={`fill-accent ${SPLIT_SHADES[i]}`} />
            </svg>
            <dt className="flex-1">{name}</dt>
            <dd
              title={m.content_live()}
              className="figures border-b border-dotted border-line font-semibold whitespace-nowrap"
            >
              {share === undefined ? '—' : formatPercent(share)}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const CHART = { width: 320, height: 190, left: 36, right: 312, top: 10, bottom: 160 }
const CHART_RATE_TOP = 0.8
const CURVE_POINTS = 100
const CURVE_DASHES = [undefined, '5 4'] as const

/** A chart of the yearly rate over the utilisation: the live curves of the pools. */
function Utilisation({ block }: { block: FigureOf<'utilisation'> }) {
  const { data } = useLendingParameters()
  const curves = block.assets.map((asset) => data && rateCurveOf(asset, data.now))
  const x = (utilisation: number) => CHART.left + (CHART.right - CHART.left) * utilisation
  const y = (rate: number) => CHART.bottom - ((CHART.bottom - CHART.top) * rate) / CHART_RATE_TOP
  return (
    <>
      <Drawing block={block} width={CHART.width} height={CHART.height}>
        {[0, 0.2, 0.4, 0.6, 0.8].map((rate) => (
          <g key={rate}>
            <line x1={CHART.left} x2={CHART.right} y1={y(rate)} y2={y(rate)} className="stroke-line" />
            <text x={CHART.left - 6} y={y(rate) + 4} textAnchor="end" fontSize="11" className="figures fill-muted">
              {rate * 100}%
            </text>
          </g>
        ))}
        {[0, 0.5, 1].map((utilisation) => (
          <text
            key={utilisation}
            x={x(utilisation)}
            y={CHART.bottom + 15}
            textAnchor={utilisation === 1 ? 'end' : 'middle'}
            fontSize="11"
            className="figures fill-muted"
          >
            {utilisation * 100}%
          </text>
        ))}
        <text
          x={(CHART.left + CHART.right) / 2}
          y={CHART.height - 2}
          textAnchor="middle"
          fontSize="11"
          className="fill-muted"
        >
          {block.across}
        </text>
        {curves.map(
          (curve, i) =>
            curve && (
              <g key={block.assets[i]}>
                <polyline
                  points={Array.from({ length: CURVE_POINTS + 1 }, (_, step) => {
                    const utilisation = step / CURVE_POINTS
                    return `${x(utilisation)},${y(borrowRate(curve, utilisation))}`
                  }).join(' ')}
                  fill="none"
                  strokeWidth="2"
                  strokeDasharray={CURVE_DASHES[i]}
                  className={i === 0 ? 'stroke-accent' : 'stroke-text'}
                />
                <circle
                  cx={x(curve.kinkAt)}
                  cy={y(curve.rateAtKink)}
                  r="3.5"
                  className={i === 0 ? 'fill-accent' : 'fill-text'}
                />
              </g>
            ),
        )}
      </Drawing>
      <p className="text-label text-muted">{block.up}</p>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-label">
        {block.assets.map((asset, i) => (
          <li key={asset} className="flex items-center gap-2">
            <svg aria-hidden="true" viewBox="0 0 28 4" className="h-1 w-7">
              <line
                x2="28"
                y1="2"
                y2="2"
                strokeWidth="2.5"
                strokeDasharray={CURVE_DASHES[i]}
                className={i === 0 ? 'stroke-accent' : 'stroke-text'}
              />
            </svg>
            {asset}
          </li>
        ))}
      </ul>
    </>
  )
}

const LTV_WIDTH = 320

/** A bar from 0 to 100 % with the live lines of the borrowed ratio. */
function LtvLines({ block }: { block: FigureOf<'ltv'> }) {
  const { data } = useLendingParameters()
  const lines = block.lines.map(({ at, text }) => ({ name: at, text, at: data && Number(data.now[at]) }))
  return (
    <>
      <Drawing block={block} width={LTV_WIDTH} height={54}>
        <rect y="22" width={LTV_WIDTH} height="10" rx="5" className="fill-line" />
        <rect y="22" width={(lines[0]?.at ?? 0) * LTV_WIDTH} height="10" rx="5" className="fill-accent" />
        {lines.map(
          ({ name, at }, i) =>
            at !== undefined && (
              <g key={name}>
                <line x1={at * LTV_WIDTH} x2={at * LTV_WIDTH} y1="16" y2="38" className="stroke-text" strokeWidth="2" />
                <text
                  x={at * LTV_WIDTH}
                  // Labels alternate above and below the bar, so that neighbours never overlap.
                  y={i % 2 === 0 ? 11 : 51}
                  textAnchor="middle"
                  fontSize="12"
                  className="figures fill-text"
                >
                  {Math.round(at * 100)}%
                </text>
              </g>
            ),
        )}
      </Drawing>
      <dl className="flex flex-col gap-1">
        {lines.map(({ name, text }) => (
          <div key={name} className="flex gap-3">
            <dt className="w-14 shrink-0 text-end">
              <LiveFigure name={name} />
            </dt>
            <dd className="text-muted">
              <LiveText text={text} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
