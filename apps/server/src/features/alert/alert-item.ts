import type { Answer } from '@clearwell/api/routes'
import { formatUnits } from '@clearwell/money/decimal'
import type { AlertRow, NoticeRow } from './alert.store.ts'

export function alertItem(row: AlertRow): Answer<'setAlert'> {
  return {
    alert_id: row.id,
    symbol: row.symbol,
    direction: row.direction,
    price: formatUnits(row.price_e18, 18),
    status: row.status,
    created_at: row.created_at.toISOString(),
    delivered_at: row.delivered_at?.toISOString() ?? null,
    price_seen: row.seen_e18 === null ? null : formatUnits(row.seen_e18, 18),
  }
}

export function noticeItem(row: NoticeRow): Answer<'alertNotices'>['items'][number] {
  return {
    alert_id: row.id,
    symbol: row.symbol,
    direction: row.direction,
    price: formatUnits(row.price_e18, 18),
    price_seen: formatUnits(row.seen_e18, 18),
    delivered_at: row.delivered_at.toISOString(),
    read: row.read_at !== null,
  }
}
