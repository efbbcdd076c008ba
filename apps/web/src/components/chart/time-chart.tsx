import { type PointerEvent, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { m } from '../../generated/paraglide/messages.js'
import { currentLocale } from '../../i18n/locale.ts'
import { formatMoment } from './chart-axes.ts'
import {
  type ChartPoint,
  chartPoints,
  type DrawnPoint,
  drawnPoints,
  nearestPoint,
  summarizeSeries,
} from './chart-points.ts'
import { Attribution, ChartShell, useCanvas } from './chart-shell.tsx'
import type { ChartSeries, LineDrawing } from './draw-line.ts'

interface TimeChartProps {
  /** Names the values, such as "Value over time". */
  readonly label: string
  readonly points: readonly ChartPoint[]
  /** A value in figures, with its unit. */
  readonly formatValue: (value: string) => string
  readonly type?: ChartSeries['type']
  /** Height class of the drawing. */
  readonly height?: string
  /** Reports the point at the crosshair; `undefined` once it is on none. */
  readonly onPoint?: (point: DrawnPoint | undefined) => void
  /** `false` removes the axis of values while amounts are hidden; `formatValue` hides the rest. */
  readonly showsValues?: boolean
}

type SeriesSummary = NonNullable<ReturnType<typeof summarizeSeries>>

/**
 * Values over time, drawn when in view. The crosshair follows a finger, the pointer or the arrow keys, and never blocks
 * scrolling the page. Screen readers get the series in a sentence and every value in a table.
 *
 * At least one point must have a value.
 */
export function TimeChart(props: TimeChartProps) {
  const { label, points, formatValue, type = 'area', height = 'h-56', showsValues = true } = props
  const all = useMemo(() => chartPoints(points), [points])
  const values = useMemo(() => drawnPoints(all), [all])
  const summary = useMemo(() => summarizeSeries(values), [values])
  const load = useCallback(
    async (element: HTMLElement) => (await import('./draw-line.ts')).drawLine(element, type),
    [type],
  )
  const canvas = useCanvas(load)
  const { drawing } = canvas
  const [index, setIndex] = useState<number>()
  const last = values.length - 1
  const pointed = index === undefined ? undefined : values[Math.min(index, last)]
  const current = pointed ?? values[last]
  const locale = currentLocale()
  // The locale is a dependency because the marks of the axes are in it.
  useEffect(() => drawing?.show({ type, points: all }, { showsValues }), [drawing, type, all, showsValues, locale])
  useEffect(() => drawing?.point(pointed), [drawing, pointed])
  const report = useEffectEvent((point: DrawnPoint | undefined): void => {
    props.onPoint?.(point)
  })
  useEffect(() => {
    report(pointed)
  }, [pointed])
  const gestures = useCrosshairGestures({ drawing, values, onIndex: setIndex })
  if (!summary) return null
  return (
    <ChartShell
      label={label}
      height={height}
      canvas={canvas}
      index={index}
      count={values.length}
      valueText={current && `${formatMoment(current.seconds)}: ${formatValue(current.value)}`}
      description={describeSeries(summary, formatValue)}
      onPoint={setIndex}
      gestures={gestures}
      readout={<Readout summary={summary} pointed={pointed} formatValue={formatValue} />}
    >
      {values.length < all.length && <p className="text-label text-muted">{m.ui_chart_gaps()}</p>}
      <ValueTable label={label} values={values} formatValue={formatValue} />
      <Attribution className="self-end" />
    </ChartShell>
  )
}

/** Moves the crosshair with a pressed finger or a hovering mouse. */
function useCrosshairGestures({
  drawing,
  values,
  onIndex,
}: {
  drawing: LineDrawing | undefined
  values: readonly DrawnPoint[]
  onIndex: (index: number | undefined) => void
}) {
  const isPressed = useRef(false)

  function follow(event: PointerEvent<HTMLElement>): void {
    if (event.pointerType !== 'mouse' && !isPressed.current) return
    const seconds = drawing?.secondsAt(event.clientX - event.currentTarget.getBoundingClientRect().left)
    if (seconds !== undefined) onIndex(nearestPoint(values, seconds))
  }

  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      isPressed.current = true
      follow(event)
    },
    onPointerMove: follow,
    onPointerUp() {
      isPressed.current = false
    },
    onPointerCancel() {
      isPressed.current = false
      onIndex(undefined)
    },
    onPointerLeave(event: PointerEvent) {
      if (event.pointerType === 'mouse') onIndex(undefined)
    },
  }
}

function describeSeries({ first, last, low, high }: SeriesSummary, formatValue: (value: string) => string): string {
  return m.ui_chart_summary({
    first: formatValue(first.value),
    from: formatMoment(first.seconds),
    last: formatValue(last.value),
    to: formatMoment(last.seconds),
    low: formatValue(low.value),
    high: formatValue(high.value),
  })
}

/** The point at the crosshair; without one, the lowest and the highest value. */
function Readout({
  summary,
  pointed,
  formatValue,
}: {
  summary: SeriesSummary
  pointed: DrawnPoint | undefined
  formatValue: (value: string) => string
}) {
  const parts = pointed
    ? [{ label: formatMoment(pointed.seconds), value: pointed.value }]
    : [
        { label: m.ui_chart_lowest(), value: summary.low.value },
        { label: m.ui_chart_highest(), value: summary.high.value },
      ]
  return (
    <p aria-hidden="true" className="figures flex min-h-4 flex-wrap justify-between gap-x-4 text-label text-muted">
      {parts.map(({ label, value }) => (
        <span key={label}>
          {label} <span className="text-text">{formatValue(value)}</span>
        </span>
      ))}
    </p>
  )
}

function ValueTable({
  label,
  values,
  formatValue,
}: {
  label: string
  values: readonly DrawnPoint[]
  formatValue: (value: string) => string
}) {
  return (
    <div className="sr-only">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">{m.ui_chart_time()}</th>
            <th scope="col">{m.ui_chart_value()}</th>
          </tr>
        </thead>
        <tbody>
          {values.map((point) => (
            <tr key={point.seconds}>
              <th scope="row">{formatMoment(point.seconds)}</th>
              <td>{formatValue(point.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
