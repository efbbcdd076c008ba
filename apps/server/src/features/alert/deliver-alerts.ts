import type { Database } from '@clearwell/ledger/database'
import { formatUnits } from '@clearwell/money/decimal'
import type { NoticeDraft } from '../../platform/notices/notice.store.ts'
import type { Notices } from '../../platform/notices/notices.ts'
import type { WatchablePrice } from '../../platform/prices/prices.ts'
import type { AlertStore, DeliveredRow, ReachedRange } from './alert.store.ts'
import type { PushStore } from './push.store.ts'

/** Delivered in one transaction. */
const BATCH = 1_000
/** Above every price: the column holds 78 digits. */
const HIGHEST_E18 = 10n ** 78n - 1n

export interface DeliverDependencies {
  readonly db: Database
  readonly store: AlertStore
  readonly notices: Pick<Notices, 'send'>
  /** Undefined where the operator has no keys: then nothing is queued for devices. */
  readonly pushStore: PushStore | undefined
}

/**
 * Delivers every alert that prices have reached. An alert, its notice and what is to be sent to devices are committed
 * together, and rows are locked, so two servers that both believe to lead deliver each alert once.
 *
 * Also for a price that has not changed: an alert may have been set while it moved.
 */
export async function deliverAlerts(
  { db, store, notices, pushStore }: DeliverDependencies,
  prices: readonly Pick<WatchablePrice, 'symbol' | 'priceE18'>[],
  at: Date,
): Promise<void> {
  const ranges = prices.flatMap(reachedBy)
  if (ranges.length === 0) return
  const deliverBatch = () =>
    db.transaction(async (tx) => {
      const delivered = await store.deliver(tx, { ranges, at, limit: BATCH })
      if (delivered.length === 0) return 0
      await notices.send(tx, delivered.map(noticeOf), at)
      const ids = delivered.map(({ id }) => id)
      await pushStore?.queue(tx, ids, at)
      return delivered.length
    })
  while ((await deliverBatch()) === BATCH);
}

function reachedBy({ symbol, priceE18 }: Pick<WatchablePrice, 'symbol' | 'priceE18'>): ReachedRange[] {
  if (priceE18 === undefined) return []
  return [
    { symbol, direction: 'above', fromE18: 0n, toE18: priceE18, priceE18 },
    { symbol, direction: 'below', fromE18: priceE18, toE18: HIGHEST_E18, priceE18 },
  ]
}

function noticeOf({ id, user_id, symbol, direction, price_e18, seen_e18 }: DeliveredRow): NoticeDraft {
  return {
    userId: user_id,
    kind: 'price_alert',
    key: id,
    params: { symbol, direction, price: formatUnits(price_e18, 18), price_seen: formatUnits(seen_e18, 18) },
    link: `/markets/${symbol}`,
  }
}
