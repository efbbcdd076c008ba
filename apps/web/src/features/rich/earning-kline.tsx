import { useState } from 'react'
import { Section } from '../../components/card.tsx'
import { MIN_CHART_POINTS } from '../../components/chart/chart-points.ts'
import { TimeChart } from '../../components/chart/time-chart.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { SegmentedControl } from '../../components/segmented-control.tsx'
import { ChartSkeleton } from '../../components/skeleton-shapes.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { dayText, earningBars, summarizeEarnings } from './earning-bars.ts'
import { type Earning, type Interval, useEarnings } from './rich.queries.ts'
import { rtWords } from './rich-words.ts'

const INTERVALS: Readonly<Record<Interval, () => string>> = {
  '1d': m.rich_kline_days,
  '1w': m.rich_kline_weeks,
  '1M': m.rich_kline_months,
}

/** For a user who collected in the current one only. */
const SENTENCES_OF_ONE: Readonly<Record<Interval, typeof m.rich_kline_today>> = {
  '1d': m.rich_kline_today,
  '1w': m.rich_kline_this_week,
  '1M': m.rich_kline_this_month,
}

const SENTENCES: Readonly<Record<Interval, typeof m.rich_kline_text>> = {
  '1d': m.rich_kline_text,
  '1w': m.rich_kline_text_weeks,
  '1M': m.rich_kline_text_months,
}

/** The RT that the user collected in each day, week or month. */
export function EarningKline() {
  const [interval, setInterval] = useState<Interval>('1d')
  const earnings = useEarnings(interval)
  return (
    <Section title={m.rich_kline()}>
      <div className="flex flex-col gap-3">
        <SegmentedControl
          label={m.rich_kline_interval()}
          options={(Object.keys(INTERVALS) as Interval[]).map((each) => ({ value: each, label: INTERVALS[each]() }))}
          value={interval}
          onChange={setInterval}
        />
        {earnings.data ? (
          <Bars candles={earnings.data} interval={interval} />
        ) : earnings.isError ? (
          <ErrorState error={earnings.error} onRetry={earnings.refetch} />
        ) : (
          <ChartSkeleton height="h-48" />
        )}
      </div>
    </Section>
  )
}

function Bars({ candles, interval }: { candles: readonly Earning[]; interval: Interval }) {
  const { total, best } = summarizeEarnings(candles)
  if (best === undefined) return <p className="text-muted">{m.rich_kline_none()}</p>
  const values = {
    count: candles.length,
    total: rtWords(total),
    best: rtWords(best.volume),
    day: dayText(best.time, interval),
  }
  const sentence = candles.length === 1 ? SENTENCES_OF_ONE : SENTENCES
  return (
    <>
      <p className="text-muted">{sentence[interval](values)}</p>
      {candles.length >= MIN_CHART_POINTS && (
        <TimeChart
          type="bars"
          height="h-48"
          label={m.rich_kline()}
          points={earningBars(candles)}
          formatValue={rtWords}
          formatTime={(seconds) => dayText(new Date(seconds * 1000).toISOString(), interval)}
        />
      )}
    </>
  )
}
