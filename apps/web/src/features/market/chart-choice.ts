import { createStore, useStore } from '../../browser/store.ts'
import type { CandleInterval, CandleSource } from './candles.queries.ts'

export const INTERVALS = ['1m', '5m', '15m', '1h', '4h', '1d'] as const satisfies readonly CandleInterval[]
const KINDS = ['pool', 'spot'] as const satisfies readonly CandleSource['kind'][]

/** The candles of a chart: of the pool or the spot market, and their interval. */
export interface ChartChoice {
  readonly kind: CandleSource['kind']
  readonly interval: CandleInterval
}

const KEY = 'clearwell.chart'
const DEFAULT_CHOICE: ChartChoice = { kind: 'pool', interval: '15m' }

const choiceStore = createStore(readChoice(stored()))

/** The last choice, on any market; kept in local storage. */
export function useChartChoice(): [ChartChoice, (change: Partial<ChartChoice>) => void] {
  const choice = useStore(choiceStore)
  return [
    choice,
    (change) => {
      const next = { ...choice, ...change }
      try {
        localStorage.setItem(KEY, JSON.stringify(next))
      } catch {
        // Without storage the choice lasts as long as the page.
      }
      choiceStore.set(next)
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
