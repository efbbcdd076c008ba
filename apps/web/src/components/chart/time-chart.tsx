import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { m } from '../../generated/paraglide/messages.js'
import { currentLocale } from '../../i18n/locale.ts'
import { Skeleton } from '../skeleton.tsx'
import {
  type ChartPoint,
  chartPoints,
  courseOf,
  type DrawnPoint,
  drawnPoints,
  nearestPoint,
  pointAfterKey,
} from './chart-points.ts'
import type { ChartSeries, Drawing } from './draw-chart.ts'
import { Attribution, NotLoaded } from './drawing-state.tsx'
import { formatMoment } from './time-axis.ts'
import { useDrawing } from './use-drawing.ts'

interface TimeChartProps {
  /** What the values are of, such as "Value over time". */
  readonly label: string
  readonly points: readonly ChartPoint[]
  /** A value in figures, with its unit. */
  readonly formatValue: (value: string) => string
  readonly type?: ChartSeries['type']
  /** Without it the axis of values stays away: for amounts that are hidden. `formatValue` hides the rest. */
  readonly showsValues?: boolean
}

const HEIGHT = 'h-56'

/**
 * Values over time, drawn when seen. A finger or the pointer moves the crosshair and never holds up the page's
 * scrolling; so do the arrow keys. Who does not see it has the course in a sentence and every value in a table.
 *
 * At least one point has to have a value.
 */
export function TimeChart({ label, points, formatValue, type = 'area', showsValues = true }: TimeChartProps) {
  const all = useMemo(() => chartPoints(points), [points])
  const values = useMemo(() => drawnPoints(all), [all])
  const course = useMemo(() => courseOf(values), [values])
  const draw = useCallback(
    async (element: HTMLElement) => (await import('./draw-chart.ts')).drawChart(element, type),
    [type],
  )
  const [host, { drawing, failed, retry }] = useDrawing(draw)
  const [index, setIndex] = useState<number>()
  const shown = index === undefined ? undefined : values[Math.min(index, values.length - 1)]
  const locale = currentLocale()
  // In another language the marks on the axes are others, too.
  useEffect(() => drawing?.show({ type, points: all }, { showsValues }), [drawing, type, all, showsValues, locale])
  useEffect(() => drawing?.point(shown), [drawing, shown])
  const id = useId()
  if (!course) return null
  return (
    <figure aria-label={label} className="flex flex-col gap-2">
      <Readout course={course} shown={shown} formatValue={formatValue} />
      <div className={`relative ${HEIGHT}`}>
        <div ref={host} aria-hidden="true" className="absolute inset-0" />
        {drawing ? (
          <Pointer
            label={label}
            describedBy={id}
            drawing={drawing}
            values={values}
            index={index}
            onIndex={setIndex}
            formatValue={formatValue}
          />
        ) : failed ? (
          <NotLoaded onRetry={retry} />
        ) : (
          <Skeleton className="absolute inset-0" />
        )}
      </div>
      <p id={id} className="sr-only">
        {m.ui_chart_summary({
          first: formatValue(course.first.value),
          from: formatMoment(course.first.seconds),
          last: formatValue(course.last.value),
          to: formatMoment(course.last.seconds),
          low: formatValue(course.low.value),
          high: formatValue(course.high.value),
        })}
      </p>
      {values.length < all.length && <p className="text-label text-muted">{m.ui_chart_gaps()}</p>}
      <ValueTable label={label} values={values} formatValue={formatValue} />
      <Attribution className="self-end" />
    </figure>
  )
}

/** The point at the crosshair; without one, how far down and up the values went. */
function Readout({
  course,
  shown,
  formatValue,
}: {
  course: NonNullable<ReturnType<typeof courseOf>>
  shown: DrawnPoint | undefined
  formatValue: (value: string) => string
}) {
  const parts = shown
    ? [{ label: formatMoment(shown.seconds), value: shown.value }]
    : [
        { label: m.ui_chart_lowest(), value: course.low.value },
        { label: m.ui_chart_highest(), value: course.high.value },
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

/** Lies over the drawing and takes what fingers, pointers and keys do. */
function Pointer({
  label,
  describedBy,
  drawing,
  values,
  index,
  onIndex,
  formatValue,
}: {
  label: string
  describedBy: string
  drawing: Drawing
  values: readonly DrawnPoint[]
  index: number | undefined
  onIndex: (index: number | undefined) => void
  formatValue: (value: string) => string
}) {
  const pressed = useRef(false)
  const last = values.length - 1
  const current = Math.min(index ?? last, last)
  const point = values[current]
  const follow = (event: PointerEvent<HTMLElement>) => {
    if (event.pointerType !== 'mouse' && !pressed.current) return
    const seconds = drawing.secondsAt(event.clientX - event.currentTarget.getBoundingClientRect().left)
    if (seconds !== undefined) onIndex(nearestPoint(values, seconds))
  }
  const press = (event: PointerEvent<HTMLElement>) => {
    pressed.current = true
    follow(event)
  }
  const release = () => {
    pressed.current = false
  }
  const moveByKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const next = pointAfterKey(event.key, index, values.length)
    if (next === null || (next === undefined && index === undefined)) return
    event.preventDefault()
    onIndex(next)
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-describedby={describedBy}
      aria-valuemin={1}
      aria-valuemax={values.length}
      aria-valuenow={current + 1}
      aria-valuetext={point && `${formatMoment(point.seconds)}: ${formatValue(point.value)}`}
      // Up and down scroll the page, as everywhere; only across is ours.
      className="absolute inset-0 z-3 cursor-crosshair touch-pan-y rounded-control"
      onPointerDown={press}
      onPointerMove={follow}
      onPointerUp={release}
      onPointerCancel={() => {
        release()
        onIndex(undefined)
      }}
      onPointerLeave={(event) => event.pointerType === 'mouse' && onIndex(undefined)}
      onBlur={() => onIndex(undefined)}
      onKeyDown={moveByKey}
    />
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
