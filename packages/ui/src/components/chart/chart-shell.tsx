import {
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useState,
} from 'react'
import { cx } from '../../browser/cx.ts'
import { useInView } from '../../browser/in-view.ts'
import { m } from '../../generated/messages.ts'
import { Button } from '../button.tsx'
import { ExternalLink } from '../external-link.tsx'
import { usePending } from '../pending.tsx'

/** One step of the zoom: a quarter more or less. */
export const ZOOM_STEP = 1.25

/** A drawing that is loaded when its element comes into view. */
export interface Canvas<Drawing> {
  readonly host: RefObject<HTMLDivElement | null>
  readonly drawing: Drawing | undefined
  /** The code of the drawing could not be loaded. */
  readonly failed: boolean
  readonly retry: () => void
}

/**
 * Loads a drawing into an element once it comes into view, and removes it on unmount.
 *
 * @param load loads the drawing code and draws into the element; another function draws again.
 */
export function useCanvas<Drawing extends { remove(): void }>(
  load: (element: HTMLElement) => Promise<Drawing>,
): Canvas<Drawing> {
  const [host, isInView] = useInView<HTMLDivElement>()
  const [drawing, setDrawing] = useState<Drawing>()
  const [failed, setFailed] = useState(false)
  const isSample = usePending()
  useEffect(() => {
    const element = host.current
    if (!isInView || failed || !element || isSample) return
    let loaded: Drawing | undefined
    let isGone = false
    load(element).then(
      (drawn) => {
        loaded = drawn
        if (isGone) loaded.remove()
        else setDrawing(() => drawn)
      },
      () => isGone || setFailed(true),
    )
    return () => {
      isGone = true
      loaded?.remove()
      setDrawing(undefined)
    }
  }, [host, isInView, failed, isSample, load])
  return { host, drawing, failed, retry: () => setFailed(false) }
}

/** Firefox leaves a chart half under the action at the foot when it is reached by keyboard. */
function showWhole({ currentTarget }: FocusEvent<HTMLElement>): void {
  if (currentTarget.matches(':focus-visible')) currentTarget.scrollIntoView({ block: 'nearest' })
}

interface ChartShellProps {
  /** Names the values, such as "Value over time". */
  readonly label: string
  /** Height class of the drawing, and of everything that takes its room. */
  readonly height: string
  readonly canvas: Canvas<object>
  /** The current point of the crosshair; undefined where it is on none. */
  readonly index: number | undefined
  readonly count: number
  /** The point at the crosshair in words, or the latest. */
  readonly valueText: string | undefined
  /** The whole chart in a sentence, for screen readers. */
  readonly description: string
  readonly onPoint: (index: number | undefined) => void
  /** With it plus and minus zoom. */
  readonly onZoom?: (factor: number) => void
  /** Handlers that replace the drawing's own gestures. */
  readonly gestures?: Pick<
    ComponentProps<'div'>,
    'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel' | 'onPointerLeave'
  >
  /** The drawing runs from edge to edge of the card or the column. */
  readonly bleeds?: boolean
  /** Figures above the drawing. */
  readonly readout: ReactNode
  /** Shown instead of the drawing. */
  readonly table?: ReactNode
  /** Shown over the drawing. */
  readonly overlay?: ReactNode
  readonly children: ReactNode
}

/**
 * The frame of every chart: loading and failed states, crosshair by keyboard, a description for screen readers, and room
 * for a table. The drawing itself follows size and theme.
 */
export function ChartShell(props: ChartShellProps) {
  const { label, height, canvas, index, count, valueText, description, onPoint, onZoom, gestures } = props
  const { host, drawing, failed, retry } = canvas
  const id = useId()

  function pressKey(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const move = moveByKey(event.key, { current: index, count, isZoomable: onZoom !== undefined })
    if (!move) return
    event.preventDefault()
    if (move.type === 'zoom') onZoom?.(move.factor)
    else onPoint(move.type === 'point' ? move.index : undefined)
  }

  return (
    <figure aria-label={label} className="flex flex-col gap-2">
      {props.readout}
      <div className={cx('relative', height, props.bleeds && '-mx-4')}>
        <div
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-describedby={id}
          aria-valuemin={1}
          aria-valuemax={count}
          aria-valuenow={Math.min(index ?? count - 1, count - 1) + 1}
          aria-valuetext={valueText}
          {...gestures}
          onKeyDown={pressKey}
          onFocus={showWhole}
          onBlur={() => onPoint(undefined)}
          className={cx(
            'absolute inset-0 cursor-crosshair rounded-control',
            // Up and down scroll the page, as everywhere.
            gestures && 'touch-pan-y',
            (!drawing || props.table !== undefined) && 'invisible',
          )}
        >
          <div ref={host} className={cx('absolute inset-0', gestures && 'pointer-events-none')} />
        </div>
        {props.table ?? (failed ? <NotLoaded onRetry={retry} /> : !drawing && <Curve />)}
        {drawing && props.table === undefined && props.overlay}
      </div>
      <p id={id} className="sr-only">
        {description}
      </p>
      {props.children}
    </figure>
  )
}

/** A line with its area, in the place of a drawing that is on its way. */
function Curve() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 400 200"
      preserveAspectRatio="none"
      className="absolute inset-0 size-full fill-line"
    >
      <path d="M0 120C50 60 80 70 120 100S190 160 240 110S320 60 400 70V200H0Z" opacity="0.6" />
    </svg>
  )
}

/** The makers of the drawing library: its licence asks for this link on each page with a chart. */
export function Attribution({ className }: { className: string }) {
  return (
    <ExternalLink
      href="https://www.tradingview.com/"
      className={cx(
        '-my-2 inline-flex min-h-11 items-center text-label text-muted underline-offset-2 hover:underline',
        className,
      )}
    >
      {m.ui_chart_attribution()}
    </ExternalLink>
  )
}

function NotLoaded({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className="absolute inset-0 flex flex-col items-center justify-center gap-3 text-center">
      <p>{m.ui_chart_not_loaded()}</p>
      <Button look="quiet" size="small" icon="refresh-cw" onClick={onRetry}>
        {m.app_retry()}
      </Button>
    </div>
  )
}

type ChartMove =
  | { readonly type: 'point'; readonly index: number }
  | { readonly type: 'leave' }
  | { readonly type: 'zoom'; readonly factor: number }

/**
 * Maps a key to an action: moving the crosshair by one point or ten, to the first or last point, or away. `undefined` leaves
 * the key to the page.
 *
 * @param current the point at the crosshair; without one, the first key goes to the latest point.
 * @param isZoomable plus and minus zoom, and up and down scroll the page instead of moving the crosshair.
 */
export function moveByKey(
  key: string,
  { current, count, isZoomable }: { current: number | undefined; count: number; isZoomable: boolean },
): ChartMove | undefined {
  const from = current ?? count
  const to = (index: number): ChartMove => ({ type: 'point', index: Math.min(Math.max(index, 0), count - 1) })
  switch (key) {
    case 'ArrowLeft':
      return to(from - 1)
    case 'ArrowRight':
      return to(from + 1)
    case 'ArrowDown':
      return isZoomable ? undefined : to(from - 1)
    case 'ArrowUp':
      return isZoomable ? undefined : to(from + 1)
    case 'PageDown':
      return to(from - 10)
    case 'PageUp':
      return to(from + 10)
    case 'Home':
      return to(0)
    case 'End':
      return to(count - 1)
    case '+':
    case '=':
      return isZoomable ? { type: 'zoom', factor: 1 / ZOOM_STEP } : undefined
    case '-':
      return isZoomable ? { type: 'zoom', factor: ZOOM_STEP } : undefined
    case 'Escape':
      return current === undefined ? undefined : { type: 'leave' }
    default:
      return undefined
  }
}
