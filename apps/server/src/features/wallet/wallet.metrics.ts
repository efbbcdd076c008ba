import { defineMetrics } from '../../platform/metrics/define-metrics.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { WalletStore } from './wallet.store.ts'

export const walletMetrics = defineMetrics({
  clearwell_withdrawals_open: {
    type: 'gauge',
    help: 'Transfers out that are not completed, expired or refused.',
    labels: { status: '`locked` (not signed yet) or `signed` (not paid yet)' },
  },
})

/** Counts the open transfers out whenever the metrics are read. */
export function collectWallet(
  metrics: Pick<Metrics, 'add' | 'onCollect'>,
  store: Pick<WalletStore, 'countOpen'>,
): void {
  const recorder = metrics.add(walletMetrics)
  metrics.onCollect(async () => {
    const counts = await store.countOpen()
    recorder.set(
      'clearwell_withdrawals_open',
      (['locked', 'signed'] as const).map((status) => ({
        labels: { status },
        value: counts.find((row) => row.status === status)?.count ?? 0,
      })),
    )
  })
}
