import { createStore, useStore } from '../../browser/store.ts'
import type { CandleInterval, CandleSource } from './candles.queries.ts'

export const INTERVALS = ['1m', '5m', '15m', '1h', '4h', '1d'] as const satisfies readonly CandleInterval[]
const KINDS = ['pool', 'spot'] as const satisfies readonly CandleSource['kind'][]

/** What a chart shows: the candles of the pool or of the spot market, and how long each is. */
export interface ChartChoice {
  readonly kind: CandleSource['kind']
  readonly interval: CandleInterval
}

const KEY = 'clearwell.chart'
const FIRST: ChartChoice = { kind: 'pool', interval: '15m' }

const choiceStore = createStore(readChoice(stored()))

/** What was chosen last, on any market; it is kept in local storage. */
export function useChartChoice(): [ChartChoice, (change: Partial<ChartChoice>) => void] {
  const choice = useStore(choiceStore)
  return [
    choice,
    (change) => {
      const next = { ...choice, ...change }
      try {
        localStorage.setItem(KEY, JSON.stringify(next))
      } catch {
        // Storage is full or forbidden: the choice holds until the page is closed.
      }
      choiceStore.set(next)
    },
  ]
}

/** A choice as it was kept; what cannot be read, or is no choice any more, is what one begins with. */
export function readChoice(text: string | null): ChartChoice {
  let kept: Partial<Record<keyof ChartChoice, unknown>> | null = null
  try {
    kept = JSON.parse(text ?? 'null')
  } catch {
    // Somebody else wrote under our key.
  }
  return {
    kind: KINDS.find((kind) => kind === kept?.kind) ?? FIRST.kind,
    interval: INTERVALS.find((interval) => interval === kept?.interval) ?? FIRST.interval,
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}
