import { type KeyboardEvent, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { cx } from '../../browser/cx.ts'
import { m } from '../../generated/paraglide/messages.js'
import { currentLocale } from '../../i18n/locale.ts'
import { Button } from '../button.tsx'
import { Skeleton } from '../skeleton.tsx'
import { candleMove, ZOOM_STEP } from './candle-keys.ts'
import { CandleLegend } from './candle-legend.tsx'
import { CandleTable } from './candle-table.tsx'
import { type CandleFormats, candleText, courseText } from './candle-text.ts'
import { type Candle, type CandleRange, secondsOf } from './candles.ts'
import type { CandleEvents } from './draw-candles.ts'
import { Attribution, NotLoaded } from './drawing-state.tsx'
import { useDrawing } from './use-drawing.ts'

/** The candles before the first: whether there are any, and what became of fetching them. */
export interface OlderCandles {
  readonly state: 'more' | 'loading' | 'failed' | 'end'
  readonly load: () => void
}

interface CandleChartProps {
  /** What the candles are of, such as "BNB/USDT, swap pool, 15m". */
  readonly label: string
  /** Oldest first, none missing; at least one. */
  readonly candles: readonly Candle[]
  readonly older: OlderCandles
  readonly formats: CandleFormats
}

/** Older candles are asked for when so few are left before those in sight. */
const AHEAD = 30

/** Where the crosshair is. The pointer moves it by itself; what keys and taps ask for has to be drawn. */
interface Pointed {
  readonly seconds: number
  readonly by: 'pointer' | 'hand'
}

/** The same again where nothing changed: the crosshair is told of at each price, too. */
function pointedAt(seconds: number | undefined, now: Pointed | undefined): Pointed | undefined {
  if (seconds === undefined) return undefined
  return now?.seconds === seconds && now.by === 'pointer' ? now : { seconds, by: 'pointer' }
}

/** The height of a chart of candles with its volume, and of whatever stands in its place. */
export const CANDLE_CHART_HEIGHT = 'h-80'

/**
 * Candles with their volume, drawn when seen. One drags, pinches, taps or moves from candle to candle by keys; what is
 * before the first is fetched when one comes near. Who does not see it has the course in a sentence, each candle in words
 * and what is in sight as a table.
 */
export function CandleChart({ label, candles, older, formats }: CandleChartProps) {
  const [pointed, setPointed] = useState<Pointed>()
  const [seen, setSeen] = useState<Seen>()
  const [asTable, setAsTable] = useState(false)
  const events: CandleEvents = {
    onPoint: (seconds) => setPointed((now) => pointedAt(seconds, now)),
    onTap: (seconds) => setPointed((now) => (now?.seconds === seconds ? undefined : { seconds, by: 'hand' })),
    // Only whole candles matter here: not each pixel is a render.
    onRange: ({ from, to }) => {
      const next = { range: { from: Math.floor(from), to: Math.ceil(to) }, first: candles[0]?.time }
      setSeen((now) => (isSame(now, next) ? now : next))
    },
  }
  const [host, { drawing, failed, retry }] = useDrawing(useDraw(events))
  const places = useMemo(() => new Map(candles.map((candle, index) => [secondsOf(candle), index])), [candles])
  const index = pointed && places.get(pointed.seconds)
  const candle = index === undefined ? undefined : candles[index]
  const locale = currentLocale()
  // In another language the marks on the axes are others, too.
  useEffect(() => drawing?.show(candles, { decimals: formats.decimals }), [drawing, candles, formats.decimals, locale])
  const isPointer = pointed?.by === 'pointer'
  useEffect(() => {
    if (!isPointer) drawing?.point(candle)
  }, [drawing, candle, isPointer])
  const range = seen?.range
  // Places that were counted from another first candle say nothing: more has come before them meanwhile.
  const isNear = range !== undefined && range.from < AHEAD && seen?.first === candles[0]?.time
  useEffect(() => {
    if (isNear && older.state === 'more') older.load()
  }, [isNear, older])
  const id = useId()
  const inSight = range ? candles.slice(Math.max(range.from, 0), range.to + 1) : candles
  const last = candles.length - 1
  const shown = candle ?? candles[last]
  if (!shown) return null
  const moveByKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const move = candleMove(event.key, index, candles.length)
    if (!move) return
    event.preventDefault()
    if (move.type === 'leave') return setPointed(undefined)
    if (move.type === 'zoom') return drawing?.zoom(move.factor, index)
    const target = candles[move.index]
    if (target) setPointed({ seconds: secondsOf(target), by: 'hand' })
    drawing?.bringIntoSight(move.index)
  }
  return (
    <figure aria-label={label} className="flex flex-col gap-2">
      <CandleLegend candle={shown} formats={formats} />
      <div className={cx('relative', CANDLE_CHART_HEIGHT)}>
        <div
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-describedby={id}
          aria-valuemin={1}
          aria-valuemax={candles.length}
          aria-valuenow={(index ?? last) + 1}
          aria-valuetext={candleText(shown, formats)}
          onKeyDown={moveByKey}
          onBlur={() => setPointed(undefined)}
          className={cx('absolute inset-0 cursor-crosshair rounded-control', (asTable || failed) && 'invisible')}
        >
          <div ref={host} className="absolute inset-0" />
        </div>
        {!drawing && !failed && <Skeleton className="absolute inset-0" />}
        {failed && !asTable && <NotLoaded onRetry={retry} />}
        {asTable && <CandleTable label={label} candles={inSight} formats={formats} />}
        {drawing && !asTable && isNear && <Older older={older} />}
        {drawing && !asTable && range && range.to < last && (
          <Button
            look="quiet"
            className="absolute bottom-9 left-1 z-3 bg-raised text-label"
            onClick={() => drawing.showLatest()}
          >
            {m.chart_latest()}
          </Button>
        )}
      </div>
      <p id={id} className="sr-only">
        {courseText(inSight, candles[last], formats)} {m.chart_keys()}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <ZoomButton label={m.chart_zoom_out()} sign="−" onClick={() => drawing?.zoom(ZOOM_STEP, index)} />
        <ZoomButton label={m.chart_zoom_in()} sign="+" onClick={() => drawing?.zoom(1 / ZOOM_STEP, index)} />
        <Button look="quiet" className="text-label" onClick={() => setAsTable(!asTable)}>
          {asTable ? m.chart_as_chart() : m.chart_as_table()}
        </Button>
        <Attribution className="ms-auto" />
      </div>
    </figure>
  )
}

/** What draws, and tells of what is done to the drawing to whom listens at that time. */
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

/** Where one looks, and from which candle its places are counted. */
interface Seen {
  readonly range: CandleRange
  readonly first: string | undefined
}

function isSame(now: Seen | undefined, next: Seen): boolean {
  return now?.range.from === next.range.from && now.range.to === next.range.to && now.first === next.first
}

/** What stands at the first candle: that earlier ones come, that they did not, or that there are none. */
function Older({ older }: { older: OlderCandles }) {
  const look = 'absolute top-1 left-1 z-3 rounded-control bg-raised px-2 py-1 text-label text-muted'
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

function ZoomButton({ label, sign, onClick }: { label: string; sign: string; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="size-11 rounded-control border border-edge/60 text-heading transition-colors hover:border-accent"
    >
      {sign}
    </button>
  )
}
