import { defineMetrics } from '../../platform/metrics/define-metrics.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { WalletStore } from './wallet.store.ts'

const STATUSES = ['locked', 'signed'] as const
const STATUS = '`locked` (not signed yet) or `signed` (not paid yet)'

export const walletMetrics = defineMetrics({
  clearwell_withdrawals_open: {
    type: 'gauge',
    help: 'Transfers out that are not completed, expired or refused.',
    labels: { status: STATUS },
  },
  clearwell_withdrawals_oldest_seconds: {
    type: 'gauge',
    help: 'Age of the oldest of them, in seconds; 0 if there is none.',
    labels: { status: STATUS },
  },
})

/** Reads the open transfers out whenever the metrics are read. */
export function collectWallet(
  metrics: Pick<Metrics, 'add' | 'onCollect'>,
  { store, clock }: { readonly store: Pick<WalletStore, 'countOpen'>; readonly clock: Clock },
): void {
  const recorder = metrics.add(walletMetrics)
  metrics.onCollect(async () => {
    const open = await store.countOpen()
    const found = STATUSES.map((status) => ({ status, row: open.find((each) => each.status === status) }))
    const counts = found.map(({ status, row }) => ({ labels: { status }, value: row?.count ?? 0 }))
    recorder.set('clearwell_withdrawals_open', counts)
    const nowMs = clock.now().getTime()
    const ages = found.map(({ status, row }) => ({
      labels: { status },
      value: row ? Math.max(0, (nowMs - row.oldest_at.getTime()) / 1000) : 0,
    }))
    recorder.set('clearwell_withdrawals_oldest_seconds', ages)
  })
}
