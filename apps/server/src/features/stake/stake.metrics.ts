import { formatUnits } from '@clearwell/money/decimal'
import { utilisation } from '@clearwell/rules/interest'
import type { LendingStore } from '../../domain/lending/lending.store.ts'
import type { LendingParameters } from '../../domain/lending/lending-parameters.ts'
import { defineMetrics } from '../../platform/metrics/define-metrics.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { Clock } from '../../platform/time/clock.ts'

export const stakeMetrics = defineMetrics({
  clearwell_loans_open: {
    type: 'gauge',
    help: 'Loans that are not repaid or liquidated.',
    labels: { status: '`normal` or `to_be_cleared`' },
  },
  clearwell_lending_utilisation: {
    type: 'gauge',
    help: 'The part of a lending pool that is lent, from 0 to 1.',
    labels: { asset: 'the asset of the pool' },
  },
})

/** Reads the figures of the lending market whenever the metrics are read. */
export function collectStake(
  metrics: Pick<Metrics, 'add' | 'onCollect'>,
  deps: { readonly store: LendingStore; readonly parameters: LendingParameters; readonly clock: Clock },
): void {
  const recorder = metrics.add(stakeMetrics)
  metrics.onCollect(async () => {
    const { normal, toBeCleared } = await deps.store.countOpen()
    recorder.set('clearwell_loans_open', [
      { labels: { status: 'normal' }, value: normal },
      { labels: { status: 'to_be_cleared' }, value: toBeCleared },
    ])
    const { pools } = await deps.parameters.rules()
    const assets = pools.map(({ asset }) => asset)
    const state = await deps.store.state(assets, deps.clock.now())
    recorder.set(
      'clearwell_lending_utilisation',
      assets.map((asset) => {
        const pool = state.pools.get(asset)
        return { labels: { asset }, value: pool ? Number(formatUnits(utilisation(pool), 18)) : 0 }
      }),
    )
  })
}
