import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { m } from '../../generated/messages.ts'
import { currentLocale } from '../../i18n/locale.ts'
import { Button } from '../button.tsx'
import { type CandleFormats, CandleLegend, CandleTable, candleText, describePriceRange } from './candle-figures.tsx'
import { type Candle, type CandleRange, secondsOf } from './candles.ts'
import { Attribution, ChartShell, useCanvas, ZOOM_STEP } from './chart-shell.tsx'
import type { CandleEvents } from './draw-candles.ts'

/** The availability of candles before the first, and the state of loading them. */
export interface OlderCandles {
  readonly state: 'more' | 'loading' | 'failed' | 'end'
  readonly load: () => void
}

interface CandleChartProps {
  /** Names the candles, such as "BNB/USDT, swap pool, 15m". */
  readonly label: string
  /** Oldest first, without gaps; at least one. */
  readonly candles: readonly Candle[]
  /** Absent: all candles are here. */
  readonly older?: OlderCandles
  readonly formats: CandleFormats
  /** Reports the candle at the crosshair; `undefined` once it is on none. */
  readonly onPoint?: (candle: Candle | undefined) => void
}

/** Older candles are loaded when this few are left before the visible ones. */
const AHEAD = 30

/**
 * The height of a chart of candles with its volume, and of everything that takes its room. Lower on a short screen, so that
 * the whole drawing stays above the main action.
 */
export const CANDLE_CHART_HEIGHT = 'h-80 short:h-46'

/**
 * Candles with their volume, drawn when in view. The user drags, pinches, taps or moves by keys; older candles are loaded
 * near the first one. Screen readers get the price range in a sentence, each candle in words and the visible ones as a
 * table.
 */
export function CandleChart({ label, candles, older, formats, onPoint }: CandleChartProps) {
  const [asTable, setAsTable] = useState(false)
  const { pointed, range, isNearFirst, setPointed, events } = useCandleView(candles)
  const canvas = useCanvas(useDraw(events))
  const { drawing } = canvas
  const indexes = useMemo(() => new Map(candles.map((candle, index) => [secondsOf(candle), index])), [candles])
  const index = pointed && indexes.get(pointed.seconds)
  const candle = index === undefined ? undefined : candles[index]
  const locale = currentLocale()
  // The locale is a dependency because the marks of the axes are in it.
  const { decimals, isHidden = false } = formats
  useEffect(() => drawing?.show(candles, { decimals, isHidden }), [drawing, candles, decimals, isHidden, locale])
  const report = useEffectEvent((at: Candle | undefined): void => {
    onPoint?.(at)
  })
  useEffect(() => {
    report(candle)
  }, [candle])
  const isByPointer = pointed?.by === 'pointer'
  useEffect(() => {
    if (!isByPointer) drawing?.point(candle)
  }, [drawing, candle, isByPointer])
  useEffect(() => {
    if (isNearFirst && older?.state === 'more') older.load()
  }, [isNearFirst, older])
  const visible = range ? candles.slice(Math.max(range.from, 0), range.to + 1) : candles
  const last = candles.length - 1
  const shown = candle ?? candles[last]
  if (!shown) return null

  function pointAt(next: number | undefined): void {
    const target = next === undefined ? undefined : candles[next]
    setPointed(target && { seconds: secondsOf(target), by: 'hand' })
    if (next !== undefined) drawing?.bringIntoView(next)
  }

  const zoom = (factor: number) => drawing?.zoom(factor, index)
  return (
    <ChartShell
      label={label}
      height={CANDLE_CHART_HEIGHT}
      canvas={canvas}
      index={index}
      count={candles.length}
      valueText={candleText(shown, formats)}
      description={`${describePriceRange(visible, candles[last], formats)} ${m.chart_keys()}`}
      onPoint={pointAt}
      onZoom={zoom}
      readout={<CandleLegend candle={shown} formats={formats} />}
      table={asTable ? <CandleTable label={label} candles={visible} formats={formats} /> : undefined}
      overlay={
        <>
          {older && isNearFirst && <OlderNote older={older} />}
          {drawing && range && range.to < last && <LatestButton onClick={() => drawing.showLatest()} />}
        </>
      }
    >
      <div className="flex items-center gap-2">
        <ZoomButton label={m.chart_zoom_out()} sign="−" onClick={() => zoom(ZOOM_STEP)} />
        <ZoomButton label={m.chart_zoom_in()} sign="+" onClick={() => zoom(1 / ZOOM_STEP)} />
        <Button look="quiet" className="text-label" onClick={() => setAsTable(!asTable)}>
          {asTable ? m.chart_as_chart() : m.chart_as_table()}
        </Button>
        <Attribution className="ms-auto text-end" />
      </div>
    </ChartShell>
  )
}

/** The candle at the crosshair. The pointer moves the crosshair itself; for keys and taps it has to be drawn. */
interface Pointed {
  readonly seconds: number
  readonly by: 'pointer' | 'hand'
}

/** The visible range and the first candle that its indexes count from. */
interface VisibleRange {
  readonly range: CandleRange
  readonly first: string | undefined
}

/** Returns the visible part of the chart, as the drawing's events report it. */
function useCandleView(candles: readonly Candle[]) {
  const [pointed, setPointed] = useState<Pointed>()
  const [visible, setVisible] = useState<VisibleRange>()
  const first = candles[0]?.time
  const events: CandleEvents = {
    onPoint: (seconds) => setPointed((now) => pointedByPointer(seconds, now)),
    onTap: (seconds) => setPointed((now) => (now?.seconds === seconds ? undefined : { seconds, by: 'hand' })),
    // Rounded to whole candles, so that not every pixel renders.
    onRange: ({ from, to }) => {
      const next = { range: { from: Math.floor(from), to: Math.ceil(to) }, first }
      setVisible((now) => (isSame(now, next) ? now : next))
    },
  }
  const range = visible?.range
  // Indexes that count from another first candle are out of date: older candles have been added since.
  const isNearFirst = range !== undefined && range.from < AHEAD && visible?.first === first
  return { pointed, setPointed, range, isNearFirst, events }
}

/** Keeps the same object where nothing changed: the crosshair is reported at each price. */
function pointedByPointer(seconds: number | undefined, now: Pointed | undefined): Pointed | undefined {
  if (seconds === undefined) return undefined
  return now?.seconds === seconds && now.by === 'pointer' ? now : { seconds, by: 'pointer' }
}

function isSame(now: VisibleRange | undefined, next: VisibleRange): boolean {
  return now?.range.from === next.range.from && now.range.to === next.range.to && now.first === next.first
}

/** Loads the drawing, which reports to the handlers of the latest render. */
function useDraw(events: CandleEvents) {
  const latest = useRef(events)
  latest.current = events
  return useCallback(async (element: HTMLElement) => {
    const { drawCandles } = await import('./draw-candles.ts')
    return drawCandles(element, {
      onPoint: (seconds) => latest.current.onPoint(seconds),
      onTap: (seconds) => latest.current.onTap(seconds),
      onRange: (range) => latest.current.onRange(range),
    })
  }, [])
}

/** The state of loading older candles, near the first one. */
function OlderNote({ older }: { older: OlderCandles }) {
  const look = 'absolute top-1 left-1 z-3 rounded-control bg-surface px-2 py-1 text-label text-muted'
  switch (older.state) {
    case 'more':
      return null
    case 'loading':
      return (
        <p role="status" className={look}>
          {m.chart_older_loading()}
        </p>
      )
    case 'failed':
      return (
        <div role="alert" className={look}>
          <p>{m.chart_older_failed()}</p>
          <Button look="quiet" icon="refresh-cw" className="mt-1" onClick={older.load}>
            {m.app_retry()}
          </Button>
        </div>
      )
    case 'end':
      return (
        <p role="status" className={look}>
          {m.chart_older_end()}
        </p>
      )
  }
}

function LatestButton({ onClick }: { onClick: () => void }) {
  return (
    <Button look="quiet" className="absolute bottom-9 left-1 z-3 bg-surface text-label" onClick={onClick}>
      {m.chart_latest()}
    </Button>
  )
}

function ZoomButton({ label, sign, onClick }: { label: string; sign: string; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="size-11 rounded-control border border-line text-section hover:border-accent"
    >
      {sign}
    </button>
  )
}
