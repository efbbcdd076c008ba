import type { IChartApi, ISeriesApi, ISeriesPrimitive, Time } from 'lightweight-charts'
import type { DrawnPoint } from './chart-points.ts'
import { heightOf } from './drawing.ts'

const DOT_PX = 4
const HALO_PX = 9

/** A mark on a point of a line: a dot with a halo. The library can only mark points with arrows and badges. */
export interface LastPoint {
  show(point: DrawnPoint | undefined): void
  paint(colors: { readonly dot: string; readonly halo: string }): void
}

export function markLastPoint(chart: IChartApi, series: ISeriesApi<'Area'> | ISeriesApi<'Line'>): LastPoint {
  let shown: DrawnPoint | undefined
  let colors = { dot: 'transparent', halo: 'transparent' }
  let update = () => {}

  function place(): { x: number; y: number } | undefined {
    if (!shown) return undefined
    const x = chart.timeScale().timeToCoordinate(shown.seconds as Time)
    const y = series.priceToCoordinate(heightOf(shown.value))
    return x === null || y === null ? undefined : { x, y }
  }

  const primitive: ISeriesPrimitive = {
    attached: ({ requestUpdate }) => {
      update = requestUpdate
    },
    paneViews: () => [
      {
        zOrder: () => 'top',
        renderer: () => ({
          draw: (target) =>
            target.useMediaCoordinateSpace(({ context }) => {
              const at = place()
              if (!at) return
              for (const [radius, color] of [
                [HALO_PX, colors.halo],
                [DOT_PX, colors.dot],
              ] as const) {
                context.beginPath()
                context.fillStyle = color
                context.arc(at.x, at.y, radius, 0, 2 * Math.PI)
                context.fill()
              }
            }),
        }),
      },
    ],
  }
  series.attachPrimitive(primitive)
  return {
    show(point) {
      shown = point
      update()
    },
    paint(next) {
      colors = next
      update()
    },
  }
}
