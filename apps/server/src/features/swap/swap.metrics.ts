import { amountValue } from '../../platform/metrics/amount-value.ts'
import { defineMetrics } from '../../platform/metrics/define-metrics.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { PoolView } from './pool-view.ts'

export const swapMetrics = defineMetrics({
  clearwell_pool_reserve: {
    type: 'gauge',
    help: 'Reserve of an open pool, in the asset. The leader has it.',
    labels: { pool: 'a pool of the configuration', asset: 'one of its two assets' },
  },
})

/** Reads the reserves of the pools whenever the metrics are read. */
export function collectSwap(
  metrics: Pick<Metrics, 'add' | 'onCollect'>,
  { view, isLeader }: { readonly view: Pick<PoolView, 'states'>; readonly isLeader: () => boolean },
): void {
  const recorder = metrics.add(swapMetrics)
  metrics.onCollect(async () => {
    const states = isLeader() ? await view.states() : []
    const reserves = states.flatMap(({ pool: { id, base, quote }, reserves }) => [
      { labels: { pool: id, asset: base }, value: amountValue({ asset: base, units: reserves.base }) },
      { labels: { pool: id, asset: quote }, value: amountValue({ asset: quote, units: reserves.quote }) },
    ])
    recorder.set('clearwell_pool_reserve', reserves)
  })
}
