import type { Database } from '@clearwell/ledger/database'
import type { BoxRules } from '@clearwell/rules/box-rules'
import { type BoxRow, boxesAscending } from '../../domain/boxes/box.store.ts'
import { boxItem } from '../../domain/boxes/box-item.ts'
import { csvLine } from '../../platform/http/csv-line.ts'

/** Boxes in memory at a time, per download. */
const PAGE = 500
const COLUMNS = [
  'day',
  'box_id',
  'status',
  'level',
  'streak',
  'draw',
  'power',
  'share',
  'asset',
  'amount',
  'claimed_at',
]

/** Streams a user's rewards as pieces of a CSV file, oldest first: one line for each asset, or one for a box without a reward. */
export async function* incomeFile(
  { db, rules }: { readonly db: Database; readonly rules: BoxRules },
  userId: string,
  range: { readonly fromDay: string; readonly toDay: string },
): AsyncGenerator<string> {
  yield csvLine(COLUMNS)
  let afterDay = ''
  for (;;) {
    const rows = await boxesAscending(db, userId, { ...range, afterDay }, PAGE)
    if (rows.length > 0) yield rows.map((row) => lines(row, rules)).join('')
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    afterDay = last.day
  }
}

function lines(row: BoxRow, rules: BoxRules): string {
  const item = boxItem(row, rules)
  const facts = [item.day, item.box_id, item.status, item.level, item.streak, item.draw, item.power, item.share].map(
    (each) => String(each ?? ''),
  )
  const amounts = item.reward.length > 0 ? item.reward : [{ asset: '', amount: '' }]
  return amounts.map(({ asset, amount }) => csvLine([...facts, asset, amount, item.claimed_at ?? ''])).join('')
}
