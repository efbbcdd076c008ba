import { type DrawnPoint, drawnPoints, nearestPoint } from './chart-points.ts'
import type { LineDrawing } from './draw-line.ts'

const BARS = ['flex', 'h-full', 'items-end', 'justify-between', 'gap-1', 'px-4']
const BAR = ['min-h-0.5', 'max-w-6', 'flex-1', 'rounded-t-chip', 'transition-opacity']
const SOME = 'bg-accent'
const NONE = 'bg-line'
/** The bars beside the pointed one. */
const BESIDE = 'opacity-40'

/**
 * Draws each value as a bar from zero into an element. They are boxes of the page, so they follow its width and theme
 * without the chart library.
 */
export function drawBars(element: HTMLElement): LineDrawing {
  const row = document.createElement('div')
  row.classList.add(...BARS)
  element.replaceChildren(row)
  let shown: readonly DrawnPoint[] = []

  return {
    show({ points }) {
      shown = drawnPoints(points)
      const highest = Math.max(...shown.map(({ value }) => heightOf(value)))
      row.replaceChildren(...shown.map(({ value }) => barOf(heightOf(value), highest)))
    },
    secondsAt(x) {
      const { width } = row.getBoundingClientRect()
      const index = Math.floor((x / width) * shown.length)
      return shown[Math.min(Math.max(index, 0), shown.length - 1)]?.seconds
    },
    point(at) {
      const index = at && nearestPoint(shown, at.seconds)
      for (const [each, bar] of [...row.children].entries())
        bar.classList.toggle(BESIDE, index !== undefined && each !== index)
    },
    remove: () => row.remove(),
  }
}

function barOf(value: number, highest: number): HTMLElement {
  const bar = document.createElement('div')
  bar.classList.add(...BAR, value > 0 ? SOME : NONE)
  bar.style.height = `${highest > 0 ? (value / highest) * 100 : 0}%`
  return bar
}

/** A height on the screen, not money. */
function heightOf(value: string): number {
  return Number(value)
}
