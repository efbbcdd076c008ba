import type { ResponseOf } from '@clearwell/api/routes'
import type { Database } from '@clearwell/ledger/database'
import { formatAmount } from '@clearwell/money/amount'
import { formatUnits } from '@clearwell/money/decimal'
import type { BoxRules } from '@clearwell/rules/box-rules'
import { DAY_FORMAT } from '@clearwell/rules/box-tree'
import { boundsOfDay, type HongKongDay } from '@clearwell/rules/hong-kong-day'
import type { DayRow } from '../../domain/boxes/box.tables.ts'
import { boxShares, type ShareRow } from '../../domain/boxes/box.tables.ts'
import { factorTexts, POWER_DECIMALS } from '../../domain/boxes/box-item.ts'
import { type DrawnBox, drawnAfter, readDay, readPools, rulesOfDay } from './box-day.store.ts'

const BOXES_PER_READ = 1_000

/**
 * Writes the published file of a divided day in parts, so that a day of a million boxes never is in memory as a whole.
 *
 * @returns nothing for a day that is not divided, and for a void one.
 */
export async function* dayFile(db: Database, day: HongKongDay): AsyncGenerator<string> {
  const row = await readDay(db, day)
  if (!row || !hasDayFile(row)) return
  const rules = rulesOfDay(row)
  const header = await headerItem(db, row)
  yield `${JSON.stringify(header).slice(0, -1)},"boxes":[`
  let cursor_id = ''
  for (;;) {
    const boxes = await drawnAfter(db, { day, cursor_id }, BOXES_PER_READ)
    const shares = await readShares(db, boxes)
    const items = boxes.map((box) => JSON.stringify(fileBox(box, { shares: shares.get(box.id) ?? [], rules })))
    if (items.length > 0) yield `${cursor_id === '' ? '' : ','}${items.join(',')}`
    const last = boxes.at(-1)
    if (!last || boxes.length < BOXES_PER_READ) break
    cursor_id = last.id
  }
  yield ']}'
}

/** Returns whether a day's pool was shared. A void day has no draws. */
export function hasDayFile({ phase, void_reason }: Pick<DayRow, 'phase' | 'void_reason'>): boolean {
  return phase === 'divided' && void_reason === null
}

/** Everything in the file of a divided day but its boxes. */
export async function headerItem(db: Database, row: DayRow): Promise<DayHeader> {
  const { rule, rules, entry_hash, tree, boxes_root, root_at, ledger_seq } = row
  if (
    rule === null ||
    rules === null ||
    entry_hash === null ||
    tree === null ||
    boxes_root === null ||
    root_at === null ||
    ledger_seq === null
  )
    throw new Error(`${row.day} is divided without a root`)
  const published = {
    rule,
    rules,
    entry_hash,
    tree,
    boxes_root,
    root_at: root_at.toISOString(),
    ledger_seq: Number(ledger_seq),
  }
  return { ...headerOf(row, published), pool: (await readPools(db, row.day)).map(poolItem) }
}

type DayHeader = NonNullable<ResponseOf<'boxProof'>['header']>
type Published = Pick<DayHeader, 'rule' | 'rules' | 'entry_hash' | 'tree' | 'boxes_root' | 'root_at' | 'ledger_seq'>

function headerOf(row: DayRow, { rule, rules, entry_hash, tree, boxes_root, root_at, ledger_seq }: Published) {
  const { opensAt, closesAt } = boundsOfDay(row.day)
  return {
    format: DAY_FORMAT,
    // Headers are not on the chain yet.
    header_number: null,
    day: row.day,
    opens_at: opensAt.toISOString(),
    closes_at: closesAt.toISOString(),
    rule,
    rules,
    commitment: row.commitment,
    committed_at: textOf(row.committed_at),
    ledger_seq,
    entry_hash,
    tree,
    boxes_root,
    root_at,
    block_not_before: textOf(row.block_not_before),
    block_number: row.block_number === null ? null : Number(row.block_number),
    block_hash: row.block_hash,
    block_time: textOf(row.block_time),
    previous_block_time: textOf(row.previous_block_time),
    seed: row.seed,
    seed_at: textOf(row.seed_at),
    box_count: row.box_count,
    total_power: formatUnits(row.total_power, POWER_DECIMALS),
  }
}

function poolItem({ asset, rewards, contributed, pool, shared }: Awaited<ReturnType<typeof readPools>>[number]) {
  const text = (units: bigint) => formatAmount({ asset, units })
  return {
    asset,
    rewards: text(rewards),
    contributed: text(contributed),
    pool: text(pool),
    shared: text(shared),
  }
}

/** A box as the file has it. */
export function fileBox(
  { id, level, streak, fees, ticket, draw, power }: DrawnBox,
  { shares, rules }: { readonly shares: readonly ShareRow[]; readonly rules: BoxRules },
) {
  return {
    box_id: id,
    level,
    streak,
    fees: formatUnits(fees, POWER_DECIMALS),
    ...factorTexts({ level, streak }, rules),
    ticket,
    draw,
    power: formatUnits(power, POWER_DECIMALS),
    rewards: shares.map(({ asset, units }) => ({ asset, amount: formatAmount({ asset, units }) })),
  }
}

export async function readShares(
  db: Database,
  boxes: readonly Pick<DrawnBox, 'id'>[],
): Promise<Map<string, ShareRow[]>> {
  const rows = await db.query<ShareRow>(
    `select ${boxShares.columns} from box_shares where box_id = any($1::text[]) order by box_id, asset`,
    [boxes.map(({ id }) => id)],
  )
  return Map.groupBy(rows, ({ box_id }) => box_id)
}

function textOf(time: Date | null): string | null {
  return time === null ? null : time.toISOString()
}
