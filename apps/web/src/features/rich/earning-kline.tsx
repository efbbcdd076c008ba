import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { Section } from '@clearwell/ui/components/card.tsx'
import { CandleChart } from '@clearwell/ui/components/chart/candle-chart.tsx'
import { MIN_CHART_POINTS } from '@clearwell/ui/components/chart/chart-points.ts'
import { type ChartView, ChartViewButton } from '@clearwell/ui/components/chart/chart-view.tsx'
import { TimeChart } from '@clearwell/ui/components/chart/time-chart.tsx'
import { Loaded } from '@clearwell/ui/components/pending.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { useState } from 'react'
import { m } from '../../generated/messages.ts'
import { dayText, summarizeEarnings } from './earning-summary.ts'
import { type Earning, type Interval, useEarnings } from './rich.queries.ts'
import { EARNINGS } from './rich.samples.ts'
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

const DECIMALS = 4

/** The running total of the RT that the user collected, by days, weeks or months: as a line, or as candles. */
export function EarningKline() {
  const [interval, setInterval] = useState<Interval>('1d')
  const [chosen, setChosen] = useState<ChartView>()
  const earnings = useEarnings(interval)
  // Few days make no line, but the candles begin on the first day.
  const view = chosen ?? (earnings.data && earnings.data.length < MIN_CHART_POINTS ? 'candles' : 'line')
  return (
    <Section title={m.rich_kline()}>
      <div className="flex flex-col gap-3">
        <div className="flex items-center gap-2">
          <div className="min-w-0 flex-1">
            <SegmentedControl
              label={m.rich_kline_interval()}
              options={(Object.keys(INTERVALS) as Interval[]).map((each) => ({
                value: each,
                label: INTERVALS[each](),
              }))}
              value={interval}
              onChange={setInterval}
            />
          </div>
          <ChartViewButton view={view} onView={setChosen} />
        </div>
        <Loaded read={earnings} sample={EARNINGS}>
          {(candles) => <EarningChart candles={candles} interval={interval} view={view} />}
        </Loaded>
      </div>
    </Section>
  )
}

interface EarningChartProps {
  readonly candles: readonly Earning[]
  readonly interval: Interval
  readonly view: ChartView
}

/** The sum in a sentence, and the running total in a chart. */
export function EarningChart({ candles, interval, view }: EarningChartProps) {
  const { hide } = useHiddenAmounts()
  const { total, best } = summarizeEarnings(candles)
  if (candles.length === 0) return <p className="text-muted">{m.rich_kline_none()}</p>
  const values = best && {
    count: candles.length,
    total: rtWords(total),
    best: rtWords(best.volume),
    day: dayText(best.time, interval),
  }
  const sentence = candles.length === 1 ? SENTENCES_OF_ONE : SENTENCES
  return (
    <>
      {values && <p className="text-muted">{hide(sentence[interval](values))}</p>}
      {view === 'line' ? <TotalLine candles={candles} interval={interval} /> : <Candles candles={candles} />}
    </>
  )
}

/** The total at the end of each day, week or month. The sentence above is enough for a few of them. */
function TotalLine({ candles, interval }: Pick<EarningChartProps, 'candles' | 'interval'>) {
  const { hidden } = useHiddenAmounts()
  if (candles.length < MIN_CHART_POINTS)
    return <p className="text-secondary text-muted">{m.rich_kline_few({ n: String(MIN_CHART_POINTS) })}</p>
  return (
    <>
      <TimeChart
        label={m.rich_kline()}
        points={candles.map(({ time, close }) => ({ time, value: close }))}
        formatValue={(amount) => (hidden ? HIDDEN_TEXT : `${totalText(amount)} RT`)}
        formatTime={(seconds) => dayText(new Date(seconds * 1000).toISOString(), interval)}
      />
      <p className="text-secondary text-muted">{m.rich_kline_line_note()}</p>
    </>
  )
}

/** Drawn from the first day on: a candle of one day already has the total before and after it. */
function Candles({ candles }: Pick<EarningChartProps, 'candles'>) {
  const { hidden } = useHiddenAmounts()
  return (
    <>
      <CandleChart
        label={m.rich_kline()}
        candles={candles}
        formats={{
          decimals: DECIMALS,
          price: (amount) => (hidden ? HIDDEN_TEXT : totalText(amount)),
          base: 'RT',
          isTotal: true,
          isHidden: hidden,
        }}
      />
      <p className="text-secondary text-muted">{m.rich_kline_note()}</p>
    </>
  )
}

function totalText(amount: string): string {
  return formatAmount(amount, { decimals: DECIMALS, fixed: true })
}
