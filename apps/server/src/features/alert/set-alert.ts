import { formatUnits } from '@clearwell/money/decimal'
import { HOUR_MS } from '@clearwell/rules/spans'
import { refusal } from '../../platform/ledger/refuse.ts'
import type { WatchablePrice } from '../../platform/prices/prices.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { AlertStore } from './alert.store.ts'
import type { AlertRow, Direction } from './alert.tables.ts'

/** How many alerts of a user may wait at a time. */
const MAX_WAITING = 20
/** How many a user may set within an hour. Cancelled alerts stay in the table, so their number must be bounded. */
const MAX_PER_HOUR = 60

export interface SetAlertDependencies {
  readonly store: AlertStore
  readonly clock: Clock
  /** All markets that alerts can be set on, with their prices now. */
  readonly prices: () => Promise<readonly WatchablePrice[]>
  readonly newId: () => string
}

/**
 * Sets an alert. If the same one waits already or was set under the same key, returns that one.
 *
 * @throws Refusal `not_found` for an unknown market, `price_out_of_date` while its price is not known,
 *   `amount_out_of_range` if the price is already there (the alert would be delivered immediately), `conflict` for a key
 *   that set another alert, for one alert too many, and for too many within an hour; the last four with a `reason`.
 */
export async function setAlert(
  { store, clock, prices, newId }: SetAlertDependencies,
  {
    userId,
    key,
    ...wanted
  }: { userId: string; key: string | undefined; symbol: string; direction: Direction; priceE18: bigint },
): Promise<AlertRow> {
  const { symbol, direction, priceE18 } = wanted
  const market = (await prices()).find((each) => each.symbol === symbol)
  if (!market) throw refusal('not_found')
  return store.inTurn(userId, async (mine) => {
    const before = key === undefined ? undefined : await mine.byKey(key)
    if (before) {
      if (before.symbol === symbol && before.direction === direction && before.price_e18 === priceE18) return before
      throw refusal('conflict', { reason: 'key_reused' })
    }
    const same = await mine.waiting(wanted)
    if (same) return same
    const nowE18 = market.priceE18
    if (nowE18 === undefined) throw refusal('price_out_of_date', { reason: reasonOf(market) })
    if (isReached(direction, priceE18, nowE18)) {
      const price = formatUnits(nowE18, 18)
      throw refusal('amount_out_of_range', {
        reason: 'already_reached',
        price,
        min: direction === 'above' ? price : null,
        max: direction === 'below' ? price : null,
      })
    }
    const now = clock.now()
    const { waiting, recent } = await mine.counts(new Date(now.getTime() - HOUR_MS))
    if (waiting >= MAX_WAITING) throw refusal('conflict', { reason: 'too_many_alerts', max: MAX_WAITING })
    if (recent >= MAX_PER_HOUR) throw refusal('conflict', { reason: 'too_often', max: MAX_PER_HOUR })
    const row: AlertRow = {
      id: newId(),
      user_id: userId,
      symbol,
      direction,
      price_e18: priceE18,
      status: 'waiting',
      idempotency_key: key ?? null,
      created_at: now,
      delivered_at: null,
      seen_e18: null,
    }
    await mine.insert(row)
    return row
  })
}

/** Why an alert cannot be compared with the price now. */
function reasonOf({ latest }: WatchablePrice): 'one_source' | 'stale' | 'unknown' {
  return latest ? (latest.reason ?? 'stale') : 'unknown'
}

/** Returns whether a price has reached the alert's price. */
function isReached(direction: Direction, alertE18: bigint, priceE18: bigint): boolean {
  return direction === 'above' ? priceE18 >= alertE18 : priceE18 <= alertE18
}
