import { useStore, withDefault } from '@clearwell/ui/browser/store.ts'
import { stored } from '@clearwell/ui/browser/stored.ts'
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

const DEFAULT_CHOICE: ChartChoice = { kind: 'spot', view: 'line', range: 'day', interval: '15m' }

/** The content of the chart that was chosen last, on any market. */
export const chartChoiceStore = withDefault(
  stored<ChartChoice>({ key: 'clearwell.chart', scope: 'device', schema: choiceOf }),
  DEFAULT_CHOICE,
)

/** The last choice, and a function that changes a part of it. */
export function useChartChoice(): [ChartChoice, (change: Partial<ChartChoice>) => void] {
  const choice = useStore(chartChoiceStore)
  return [choice, (change) => chartChoiceStore.set({ ...choice, ...change })]
}

/** The stored choice; the default where a part of it is unreadable or no longer offered. */
export function choiceOf(value: unknown): ChartChoice {
  const kept = value as Partial<Record<keyof ChartChoice, unknown>> | null | undefined
  return {
    kind: KINDS.find((kind) => kind === kept?.kind) ?? DEFAULT_CHOICE.kind,
    view: VIEWS.find((view) => view === kept?.view) ?? DEFAULT_CHOICE.view,
    range: RANGES.find((range) => range === kept?.range) ?? DEFAULT_CHOICE.range,
    interval: INTERVALS.find((interval) => interval === kept?.interval) ?? DEFAULT_CHOICE.interval,
  }
}
