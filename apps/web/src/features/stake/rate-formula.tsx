import { mulDiv } from '@clearwell/money/mul-div'
import { borrowRate } from '@clearwell/rules/interest'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import type { ReactNode } from 'react'
import { m } from '../../generated/messages.ts'
import { curveOf, fractionE18, textOfE18 } from './lending-figures.ts'
import type { MarketPool } from './stake.queries.ts'

const E18 = 10n ** 18n

/** How the rates of a pool come about, with its numbers. Opens on a press. */
export function RateFormula({ pool }: { pool: MarketPool }) {
  const { base, kink, slope_to_kink: slope, slope_above_kink: steep } = pool.curve
  const rest = textOfE18(E18 - fractionE18(kink))
  const atKink = textOfE18(fractionE18(base) + fractionE18(slope))
  const own = borrowRate(curveOf(pool), fractionE18(pool.utilisation))
  const isMoving = fractionE18(pool.loan_rate) !== own
  const keeps = formatPercent(textOfE18(E18 - fractionE18(pool.reserve_factor)))
  return (
    <Fold label={m.stake_formula()}>
      <dl className="flex flex-col gap-3 pb-3 text-secondary">
        <Line label={m.stake_loan_rate()}>
          <span className="block">
            {m.stake_formula_below({
              kink: formatPercent(kink),
              base: formatPercent(base),
              slope: formatPercent(slope),
            })}
          </span>
          <span className="block">
            {m.stake_formula_above({
              kink: formatPercent(kink),
              atKink: formatPercent(atKink),
              steep: formatPercent(steep),
              rest: formatPercent(rest),
            })}
          </span>
          <span className="block">{m.stake_formula_moves({ step: formatPercent(pool.curve.hourly_step) })}</span>
          {isMoving && <span className="block text-muted">{m.stake_formula_moving()}</span>}
        </Line>
        <Line label={m.stake_pledge_rate()}>
          {m.stake_formula_pledge({ keeps, reserve: formatPercent(pool.reserve_factor) })}
        </Line>
      </dl>
    </Fold>
  )
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted">{label}</dt>
      <dd className="figures">{children}</dd>
    </div>
  )
}

/** Details that open on a press. The browser's own disclosure: keys and screen readers know it. */
function Fold({ label, children }: { label: string; children: ReactNode }) {
  return (
    <details className="group">
      <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-2 text-muted [&::-webkit-details-marker]:hidden">
        {label}
        <Icon name="chevron-right" className="size-4 rotate-90 transition-transform group-open:-rotate-90" />
      </summary>
      {children}
    </details>
  )
}

/** A year's income of a pledge at the present rate. Rounded down: it never looks better than it is. */
export function yearlyIncome(amount: string, rate: string): string {
  return textOfE18(mulDiv(fractionE18(amount), fractionE18(rate), E18, 'down'))
}
