import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { Card } from '@clearwell/ui/components/card.tsx'
import { formatMoment } from '@clearwell/ui/components/chart/chart-axes.ts'
import { MIN_CHART_POINTS } from '@clearwell/ui/components/chart/chart-points.ts'
import { TimeChart } from '@clearwell/ui/components/chart/time-chart.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { withWholeParts } from '@clearwell/ui/components/whole-parts.tsx'
import { formatAmount, formatChange, formatUsdt } from '@clearwell/ui/i18n/format.ts'
import { useNavigate } from '@tanstack/react-router'
import { m } from '../../generated/messages.ts'
import { SUMMARY } from './history.samples.ts'
import { heldHistory, type Performance, type Summary } from './summary-figures.ts'
import { PERIODS, type Period } from './summary-period.ts'

const PERIOD_NAMES: Record<Period, () => string> = {
  day: m.history_period_day,
  week: m.history_period_week,
  month: m.history_period_month,
  year: m.history_period_year,
}

interface CurveProps {
  readonly summary: Summary | undefined
  readonly error: unknown
  readonly onRetry: () => unknown
}

/** The value over time in the chosen period, and its change apart from transfers. */
export function ValueOverTime({ period, summary, error, onRetry }: CurveProps & { period: Period }) {
  const navigate = useNavigate()
  const choose = (next: Period) =>
    void navigate({ to: '/{-$locale}/wallet/summary', search: { period: next }, replace: true, resetScroll: false })
  return (
    <Card title={m.history_chart()}>
      <div className="flex flex-col gap-3">
        <SegmentedControl
          label={m.history_period()}
          options={PERIODS.map((each) => ({ value: each, label: PERIOD_NAMES[each]() }))}
          value={period}
          onChange={choose}
        />
        <ValueCurve summary={summary} error={error} onRetry={onRetry} />
      </div>
    </Card>
  )
}

/** The curve of a summary that was read, or its failure, or its shape while it is read. */
export function ValueCurve({ summary, error, onRetry }: CurveProps) {
  if (summary) return <Curve summary={summary} />
  if (error) return <ErrorState error={error} onRetry={onRetry} />
  return (
    <Pending>
      <Curve summary={SUMMARY} />
    </Pending>
  )
}

function Curve({ summary: { history, performance } }: { summary: Summary }) {
  const { hidden } = useHiddenAmounts()
  const held = heldHistory(history)
  if (!history.some(({ net_usdt }) => net_usdt !== null))
    return (
      <EmptyState icon="chart-no-axes-combined" title={m.history_chart_none()} text={m.history_chart_none_text()} />
    )
  if (held.length < MIN_CHART_POINTS)
    // The first time with a value is a reading after the transfer, and for a new account it is now.
    return <ShortHistory performance={performance} isNew={held.length < history.length} />
  return (
    <>
      <ChangeText performance={performance} />
      <TimeChart
        label={m.history_chart()}
        points={held.map(({ time, net_usdt }) => ({ time, value: net_usdt }))}
        formatValue={(value) => (hidden ? HIDDEN_TEXT : `${formatUsdt(value)} USDT`)}
      />
    </>
  )
}

/** A sentence with the figure, where there are too few points for a curve. */
function ShortHistory({ performance, isNew }: { performance: Performance | null; isNew: boolean }) {
  const { hidden } = useHiddenAmounts()
  if (!performance) return <p className="text-muted">{m.history_summary_change_unknown()}</p>
  const time = momentText(performance.since)
  if (isZero(performance.change_usdt))
    return <p>{withWholeParts(isNew ? m.history_summary_new_same() : m.history_summary_short_same({ time }))}</p>
  const change = hidden ? HIDDEN_TEXT : changeText(performance)
  const text = isNew ? m.history_summary_new({ change }) : m.history_summary_short({ time, change })
  return <p>{withWholeParts(text)}</p>
}

function ChangeText({ performance }: { performance: Performance | null }) {
  const { hidden } = useHiddenAmounts()
  if (!performance) return <p className="text-muted">{m.history_summary_change_unknown()}</p>
  const { change_usdt: change } = performance
  const tone = isZero(change) ? '' : change.startsWith('-') ? 'text-down' : 'text-up'
  return (
    <div>
      <p className={`figures font-semibold ${tone}`}>{hidden ? HIDDEN_TEXT : changeText(performance)}</p>
      <p className="text-secondary text-muted">{m.history_summary_change()}</p>
    </div>
  )
}

function changeText({ change_usdt, change }: Performance): string {
  const amount = `${formatAmount(change_usdt, { decimals: 2, fixed: true, signed: true })} USDT`
  return change === null ? amount : `${amount} (${formatChange(change)})`
}

export function momentText(iso: string): string {
  return formatMoment(Date.parse(iso) / 1000)
}

function isZero(amount: string): boolean {
  return !/[1-9]/.test(amount)
}
