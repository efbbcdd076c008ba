import { Slider } from '@base-ui/react/slider'
import { cx } from '@clearwell/ui/browser/cx.ts'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { useId } from 'react'
import { m } from '../../generated/messages.ts'
import { HealthMark, healthText } from './health-mark.tsx'
import type { Health } from './loan-health.ts'
import type { MarketPool } from './stake.queries.ts'

const LARGE_STEP = 5
/** The lines of the ratio on the scale, in their order. */
const LINE_LOOKS = ['w-px bg-text', 'w-px bg-warn', 'w-0.75 bg-warn']

interface LtvSliderProps {
  readonly pool: MarketPool
  /** The ratio of the amounts as a fraction; `undefined` while it is not known. */
  readonly ltv: string | undefined
  readonly health: Health | undefined
  /** The price of the collateral at each line, as text with its unit; in the order of the lines. */
  readonly prices: readonly string[] | undefined
  readonly disabled: boolean
  /** Whole percent. */
  readonly onChange: (percent: number) => void
}

/**
 * Chooses the ratio of a loan to its collateral. The thumb goes up to the initial limit; the scale goes on to 100 %, with the
 * three lines on it, so that one sees the distance to them.
 */
export function LtvSlider({ pool, ltv, health, prices, disabled, onChange }: LtvSliderProps) {
  const most = Math.floor(Number(pool.ltv_initial) * 100)
  const value = ltv === undefined ? 0 : Math.min(most, Math.round(Number(ltv) * 100))
  const shown = ltv === undefined ? '—' : formatPercent(ltv)
  const lines = linesOf(pool)
  const linesId = useId()
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-baseline justify-between gap-3">
        <span className="text-muted">{m.stake_ltv()}</span>
        <span className="flex items-baseline gap-3">
          {health && <HealthMark health={health} className="text-secondary" />}
          <span className="figures text-section">{shown}</span>
        </span>
      </div>
      <div className="relative h-11">
        <div aria-hidden="true" className="absolute inset-x-0 top-1/2 h-2 -translate-y-1/2 rounded-full bg-line" />
        {lines.map(({ at, name }, index) => (
          <span
            key={name}
            aria-hidden="true"
            className={cx('absolute inset-y-2', LINE_LOOKS[index])}
            style={{ left: `${Number(at) * 100}%` }}
          />
        ))}
        <Slider.Root
          value={value}
          onValueChange={onChange}
          min={0}
          max={most}
          step={1}
          largeStep={LARGE_STEP}
          disabled={disabled}
          style={{ width: `${most}%` }}
        >
          <Slider.Control className="flex h-11 w-full touch-none items-center select-none data-disabled:opacity-45">
            <Slider.Track className="h-2 w-full rounded-full">
              <Slider.Indicator className="rounded-full bg-accent" />
              <Slider.Thumb
                aria-label={m.stake_ltv()}
                aria-describedby={linesId}
                getAriaValueText={() => valueText(shown, health)}
                className="size-6 rounded-full border-2 border-ground bg-accent outline-offset-2 before:absolute before:-inset-3 has-focus-visible:outline-2 has-focus-visible:outline-accent"
              />
            </Slider.Track>
          </Slider.Control>
        </Slider.Root>
      </div>
      <dl id={linesId} className="grid grid-cols-3 gap-2 text-label">
        {lines.map(({ at, name }, index) => (
          <div
            key={name}
            className={cx('flex min-w-0 flex-col', index === 1 && 'text-center', index === 2 && 'text-end')}
          >
            <dt className={index === 0 ? 'text-muted' : 'text-warn'}>
              {/* The sign of the line on the scale. */}
              <span aria-hidden="true" className={cx('me-1 inline-block h-2.5', LINE_LOOKS[index])} />
              {name} {formatPercent(at)}
            </dt>
            <dd className="figures text-muted [overflow-wrap:anywhere]">{prices?.[index] ?? '—'}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** The three lines of the ratio, by name. */
function linesOf(pool: MarketPool): { readonly at: string; readonly name: string }[] {
  return [
    { at: pool.ltv_initial, name: m.stake_line_initial() },
    { at: pool.ltv_warning, name: m.stake_line_warning() },
    { at: pool.ltv_liquidation, name: m.stake_line_liquidation() },
  ]
}

function valueText(percent: string, health: Health | undefined): string {
  return health ? `${percent}, ${healthText(health)}` : percent
}
