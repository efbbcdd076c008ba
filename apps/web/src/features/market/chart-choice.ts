import { createStore, useStore } from '../../browser/store.ts'
import type { CandleInterval, CandleSource } from './candles.queries.ts'

export const INTERVALS = ['1m', '5m', '15m', '1h', '4h', '1d'] as const satisfies readonly CandleInterval[]
const KINDS = ['pool', 'spot'] as const satisfies readonly CandleSource['kind'][]
const VIEWS = ['line', 'candles'] as const
const RANGES = ['day', 'week', 'month', 'year'] as const

/** The span of a line, up to now. */
export type ChartRange = (typeof RANGES)[number]

/** The content of a chart: the pool's price or the spot price, as a line over a range or as candles of an interval. */
export interface ChartChoice {
  readonly kind: CandleSource['kind']
  readonly view: (typeof VIEWS)[number]
  readonly range: ChartRange
  readonly interval: CandleInterval
}

const KEY = 'clearwell.chart'
const DEFAULT_CHOICE: ChartChoice = { kind: 'spot', view: 'line', range: 'day', interval: '15m' }

export const chartChoiceStore = createStore(readChoice(stored()))

/** The last choice, on any market; kept in local storage. */
export function useChartChoice(): [ChartChoice, (change: Partial<ChartChoice>) => void] {
  const choice = useStore(chartChoiceStore)
  return [
    choice,
    (change) => {
      const next = { ...choice, ...change }
      try {
        localStorage.setItem(KEY, JSON.stringify(next))
      } catch {
        // Without storage the choice lasts as long as the page.
      }
      chartChoiceStore.set(next)
    },
  ]
}

/** The stored choice; the default where it is unreadable or no longer offered. */
export function readChoice(text: string | null): ChartChoice {
  let kept: Partial<Record<keyof ChartChoice, unknown>> | null = null
  try {
    kept = JSON.parse(text ?? 'null')
  } catch {
    // Not written by this code.
  }
  return {
    kind: KINDS.find((kind) => kind === kept?.kind) ?? DEFAULT_CHOICE.kind,
    view: VIEWS.find((view) => view === kept?.view) ?? DEFAULT_CHOICE.view,
    range: RANGES.find((range) => range === kept?.range) ?? DEFAULT_CHOICE.range,
    interval: INTERVALS.find((interval) => interval === kept?.interval) ?? DEFAULT_CHOICE.interval,
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}
