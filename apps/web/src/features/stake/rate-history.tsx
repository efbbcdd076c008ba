import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { maxUnits } from '@clearwell/money/min-max'
import { Section } from '@clearwell/ui/components/card.tsx'
import { TimeChart } from '@clearwell/ui/components/chart/time-chart.tsx'
import { Loaded } from '@clearwell/ui/components/pending.tsx'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { m } from '../../generated/messages.ts'
import { Rate } from './market-overview.tsx'
import { type MarketPool, useRates } from './stake.queries.ts'
import { RATES } from './stake.samples.ts'

const DECIMALS = 18
const STEP_MS = 4 * 3_600_000

/** The loan rate of a pool over the last 30 days. */
export function RateHistory({ pool }: { pool: MarketPool }) {
  return (
    <Section title={m.stake_rate_history({ asset: pool.asset })}>
      <Loaded read={useRates(pool.asset)} sample={RATES}>
        {(rates) => (
          <TimeChart
            label={m.stake_rate_history({ asset: pool.asset })}
            points={highestPerStep(rates)}
            formatValue={(rate) => m.stake_apr({ apr: formatPercent(rate) })}
            height="h-36"
            few={
              <p className="text-secondary text-muted">
                {m.stake_rate_history_few()} <Rate apr={pool.loan_rate} />
              </p>
            }
          />
        )}
      </Loaded>
    </Section>
  )
}

/**
 * Thins hourly rates to one point for each four hours, so that the chart of a month stays light. Each point is the highest of its
 * hours: a short peak costs money, and is never left out.
 */
export function highestPerStep(
  rates: readonly { readonly time: string; readonly loan_rate: string }[],
): { time: string; value: string }[] {
  const bySteps = new Map<number, { time: string; units: bigint }>()
  for (const { time, loan_rate: rate } of rates) {
    const step = Math.floor(Date.parse(time) / STEP_MS)
    const units = parseUnits(rate, DECIMALS) ?? 0n
    bySteps.set(step, { time, units: maxUnits(bySteps.get(step)?.units ?? 0n, units) })
  }
  return [...bySteps.values()].map(({ time, units }) => ({ time, value: formatUnits(units, DECIMALS) }))
}
