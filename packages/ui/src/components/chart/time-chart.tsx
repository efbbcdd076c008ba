import {
  type PointerEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { m } from '../../generated/messages.ts'
import { currentLocale } from '../../i18n/locale.ts'
import { formatMoment } from './chart-axes.ts'
import {
  type ChartPoint,
  chartPoints,
  type DrawnPoint,
  drawnPoints,
  type Gap,
  MIN_CHART_POINTS,
  nearestPoint,
  summarizeSeries,
} from './chart-points.ts'
import { Attribution, ChartShell, useCanvas } from './chart-shell.tsx'
import type { ChartSeries, LineDrawing } from './draw-line.ts'

/** How values are drawn: as one line, or each as a bar from zero. */
type ChartType = ChartSeries['type'] | 'bars'

interface TimeChartProps {
  /** Names the values, such as "Value over time". */
  readonly label: string
  readonly points: readonly ChartPoint[]
  /** A value in figures, with its unit. */
  readonly formatValue: (value: string) => string
  readonly type?: ChartType
  /** Formats the time of a point, where its day alone says enough. */
  readonly formatTime?: (seconds: number) => string
  /** Height class of the drawing. */
  readonly height?: string
  /** Reports the point at the crosshair; `undefined` once it is on none. */
  readonly onPoint?: (point: DrawnPoint | undefined) => void
  /** Shown instead of the line while there are too few points for one; a sentence with the latest value if omitted. */
  readonly few?: ReactNode
}

type SeriesSummary = NonNullable<ReturnType<typeof summarizeSeries>>

/**
 * Values over time, drawn when in view: a line from edge to edge with its last point marked, bars, or a sentence while
 * there are too few points. The crosshair follows a finger, the pointer or the arrow keys, and never blocks scrolling the page. Screen
 * readers get the series in a sentence and every value in a table.
 */
export function TimeChart(props: TimeChartProps) {
  const all = useMemo(() => chartPoints(props.points), [props.points])
  const values = useMemo(() => drawnPoints(all), [all])
  if (values.length >= MIN_CHART_POINTS) return <Line {...props} all={all} values={values} />
  return props.few ?? <FewPoints values={values} formatValue={props.formatValue} />
}

/** A line through fewer points would suggest more than is known. */
function FewPoints({ values, formatValue }: Pick<TimeChartProps, 'formatValue'> & { values: readonly DrawnPoint[] }) {
  const last = values.at(-1)
  return (
    <p className="text-muted">
      {last ? m.ui_chart_few({ value: formatValue(last.value), count: values.length }) : m.ui_chart_none()}
    </p>
  )
}

interface LineProps extends TimeChartProps {
  readonly all: readonly (DrawnPoint | Gap)[]
  readonly values: readonly DrawnPoint[]
}

function Line(props: LineProps) {
  const { label, all, values, formatValue, formatTime = formatMoment, type = 'area', height = 'h-56' } = props
  const summary = useMemo(() => summarizeSeries(values), [values])
  const load = useCallback((element: HTMLElement) => loadDrawing(element, type), [type])
  const canvas = useCanvas(load)
  const { drawing } = canvas
  const [index, setIndex] = useState<number>()
  const last = values.length - 1
  const pointed = index === undefined ? undefined : values[Math.min(index, last)]
  const current = pointed ?? values[last]
  const locale = currentLocale()
  // The locale is a dependency because the marks of the axes are in it.
  useEffect(() => drawing?.show({ points: all }), [drawing, all, locale])
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
      valueText={current && `${formatTime(current.seconds)}: ${formatValue(current.value)}`}
      description={describeSeries(summary, formatValue, formatTime)}
      onPoint={setIndex}
      gestures={gestures}
      bleeds
      readout={<Readout summary={summary} pointed={pointed} formatValue={formatValue} formatTime={formatTime} />}
    >
      {values.length < all.length && <p className="text-label text-muted">{m.ui_chart_gaps()}</p>}
      <ValueTable label={label} values={values} formatValue={formatValue} formatTime={formatTime} />
      {type === 'bars' ? (
        <p aria-hidden="true" className="figures flex justify-between text-label text-muted">
          <span>{formatTime(summary.first.seconds)}</span>
          <span>{formatTime(summary.last.seconds)}</span>
        </p>
      ) : (
        <Attribution className="self-end" />
      )}
    </ChartShell>
  )
}

async function loadDrawing(element: HTMLElement, type: ChartType): Promise<LineDrawing> {
  if (type === 'bars') return (await import('./draw-bars.ts')).drawBars(element)
  return (await import('./draw-line.ts')).drawLine(element, type)
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

function describeSeries(
  { first, last, low, high }: SeriesSummary,
  formatValue: (value: string) => string,
  formatTime: (seconds: number) => string,
): string {
  return m.ui_chart_summary({
    first: formatValue(first.value),
    from: formatTime(first.seconds),
    last: formatValue(last.value),
    to: formatTime(last.seconds),
    low: formatValue(low.value),
    high: formatValue(high.value),
  })
}

/** The point at the crosshair; without one, the lowest and the highest value. */
function Readout({
  summary,
  pointed,
  formatValue,
  formatTime,
}: {
  summary: SeriesSummary
  pointed: DrawnPoint | undefined
  formatValue: (value: string) => string
  formatTime: (seconds: number) => string
}) {
  const parts = pointed
    ? [{ label: formatTime(pointed.seconds), value: pointed.value }]
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
  formatTime,
}: {
  label: string
  values: readonly DrawnPoint[]
  formatValue: (value: string) => string
  formatTime: (seconds: number) => string
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
              <th scope="row">{formatTime(point.seconds)}</th>
              <td>{formatValue(point.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
