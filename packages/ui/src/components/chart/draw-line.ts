import { AreaSeries, type IChartApi, type ISeriesApi, LineSeries, type UTCTimestamp } from 'lightweight-charts'
import { type DrawnPoint, drawnPoints, type Gap } from './chart-points.ts'
import { type ChartTheme, createDrawing, heightOf, markFormatter, paint } from './drawing.ts'
import { markLastPoint } from './last-point.ts'

/** Values drawn as one line. */
export interface ChartSeries {
  readonly type: 'area' | 'line'
  readonly points: readonly (DrawnPoint | Gap)[]
}

/** Values drawn into an element, where nothing else draws. */
export interface LineDrawing {
  show(series: Pick<ChartSeries, 'points'>): void
  /** The moment, in seconds, at a distance from the element's left edge. */
  secondsAt(x: number): number | undefined
  /** Moves the crosshair to a point, or removes it. */
  point(at: DrawnPoint | undefined): void
  remove(): void
}

/** Room between the last point and the right edge, for its mark. */
const ROOM_PX = 16
/** The part of the time axis at the left edge where a mark would be cut. */
const EDGE_PART = 0.06
/** Characters of room for a mark on the time axis: about four marks on a phone. */
const MARK_CHARACTERS = 12

/**
 * Draws a line into an element, in the colours of its theme, and follows its size. It has no axis of values: the figures
 * beside it say the range, and the crosshair every value. The drawing handles no gestures: the caller decides what a finger
 * does.
 */
export function drawLine(element: HTMLElement, type: ChartSeries['type']): LineDrawing {
  const chart = createDrawing(element, {
    handleScroll: false,
    handleScale: false,
    timeScale: { minBarSpacing: 0.01, tickMarkMaxCharacterLength: MARK_CHARACTERS },
    rightPriceScale: { visible: false, scaleMargins: { top: 0.1, bottom: 0.06 } },
    crosshair: { vertLine: { labelVisible: false }, horzLine: { visible: false, labelVisible: false } },
  })
  const series = addLine(chart, type)
  const lastPoint = markLastPoint(chart, series)
  const stopPainting = paint(element, chart, (theme) => {
    series.applyOptions(lineColors(type, theme))
    series.applyOptions({ crosshairMarkerBorderColor: theme.ground, crosshairMarkerBackgroundColor: theme.accent })
    lastPoint.paint({ dot: theme.accent, halo: theme.accentFaint })
  })
  let count = 0
  const fit = () => fitPoints(chart, count)
  // Another width keeps the spacing of the points, and so would cut off the latest ones.
  chart.timeScale().subscribeSizeChange(fit)
  return {
    show({ points }) {
      chart.applyOptions({ timeScale: { tickMarkFormatter: marksAfterEdge(points) } })
      series.setData(points.map(drawn))
      count = points.length
      fit()
      lastPoint.show(drawnPoints(points).at(-1))
    },
    secondsAt: (x) => timeAt(chart, x),
    point(at) {
      if (at) chart.setCrosshairPosition(heightOf(at.value), at.seconds as UTCTimestamp, series)
      else chart.clearCrosshairPosition()
    },
    remove() {
      stopPainting()
      chart.remove()
    },
  }
}

/** Marks on the time axis without those that the left edge would cut. */
function marksAfterEdge(points: ChartSeries['points']) {
  const format = markFormatter((points.at(-1)?.seconds ?? 0) - (points[0]?.seconds ?? 0))
  const from = points[Math.ceil(points.length * EDGE_PART)]?.seconds ?? 0
  return (...[seconds, mark]: Parameters<typeof format>) => (Number(seconds) < from ? '' : format(seconds, mark))
}

/** The line starts at the left edge and ends with room for the mark of its last point. */
function fitPoints(chart: IChartApi, count: number): void {
  const scale = chart.timeScale()
  const width = scale.width()
  if (count < 2 || width <= ROOM_PX) return
  const step = (width - ROOM_PX) / (count - 1)
  scale.setVisibleLogicalRange({ from: 0, to: count - 1 + ROOM_PX / step })
}

function addLine(chart: IChartApi, type: ChartSeries['type']): ISeriesApi<'Area'> | ISeriesApi<'Line'> {
  const options = {
    lineWidth: 2,
    priceLineVisible: false,
    lastValueVisible: false,
    crosshairMarkerRadius: 5,
    crosshairMarkerBorderWidth: 2,
  } as const
  switch (type) {
    case 'area':
      return chart.addSeries(AreaSeries, options)
    case 'line':
      return chart.addSeries(LineSeries, options)
  }
}

function drawn(point: DrawnPoint | Gap) {
  const time = point.seconds as UTCTimestamp
  return point.value === null ? { time } : { time, value: heightOf(point.value) }
}

/** Left of the first point it is the first, right of the last the last. */
function timeAt(chart: IChartApi, x: number): number | undefined {
  const scale = chart.timeScale()
  const seconds = scale.coordinateToTime(x)
  if (seconds !== null) return seconds as number
  const range = scale.getVisibleRange()
  if (!range) return undefined
  return (x <= 0 ? range.from : range.to) as number
}

function lineColors(type: ChartSeries['type'], theme: ChartTheme) {
  switch (type) {
    case 'area':
      return { lineColor: theme.accent, topColor: theme.accentFaint, bottomColor: theme.accentNone }
    case 'line':
      return { color: theme.accent }
  }
}
