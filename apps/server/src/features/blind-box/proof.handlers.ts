import type { blindBoxRoutes } from '@clearwell/api/blind-box.routes'
import type { ResponseOf } from '@clearwell/api/routes'
import { readArchiveEnd } from '@clearwell/ledger/archives'
import type { Database } from '@clearwell/ledger/database'
import type { AccountChange } from '@clearwell/ledger/read-changes'
import { formatAmount } from '@clearwell/money/amount'
import { formatUnits } from '@clearwell/money/decimal'
import { toHex } from '@clearwell/rules/box-draw'
import { type BoxRules, parseBoxRules } from '@clearwell/rules/box-rules'
import { type HongKongDay, hongKongDayOf, parseHongKongDay } from '@clearwell/rules/hong-kong-day'
import { amountTexts, POWER_DECIMALS } from '../../domain/boxes/box-item.ts'
import {
  readRewardsOf,
  readSourceCursor,
  readSourceEntries,
  readSources,
} from '../../domain/boxes/box-sources.store.ts'
import { poolItems, readTally, sourcesOf } from '../../domain/boxes/box-today.ts'
import { DEFAULT_PAGE, decodeNumber, pageOf } from '../../platform/http/paging.ts'
import { PreparedResponse } from '../../platform/http/prepared-response.ts'
import type { HandlersOf } from '../../platform/http/request-context.ts'
import { invalidField, refusal } from '../../platform/ledger/refuse.ts'
import type { ChannelSource } from '../../platform/stream/channel.ts'
import { cached } from '../../platform/time/cached.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { dividedDays, entriesOfDay, latestRoots, type RootRow } from './blind-box.store.ts'
import { readDay } from './box-day.store.ts'
import { describeDay, proveBox } from './box-proof.ts'
import { type BoxFacts, sourceItem } from './box-rules.ts'
import { dayFile, hasDayFile } from './day-file.ts'

/** The published roots, as the call and the stream have them. */
export interface PublishedRoots {
  read(): Promise<PreparedResponse<ResponseOf<'boxRoots'>>>
}

/** Everyone who listens gets a root within a second. */
const ROOTS_MS = 1_000

export function publishedRoots({ db, clock }: { readonly db: Database; readonly clock: Clock }): PublishedRoots {
  const roots = cached({
    read: async () =>
      new PreparedResponse({ time: clock.now().toISOString(), roots: (await latestRoots(db)).map(rootItem) }),
    maxAgeMs: ROOTS_MS,
    clock,
  })
  return { read: () => roots.get(undefined) }
}

/** The roots on the stream. A value that differs in its time alone is the same. */
export function rootsChannel(roots: PublishedRoots): ChannelSource<ResponseOf<'boxRoots'>> {
  return {
    name: 'roots',
    read: () => roots.read(),
    isSameValue: (before, after) => JSON.stringify(before.roots) === JSON.stringify(after.roots),
  }
}

type ProofHandlers = Pick<
  HandlersOf<typeof blindBoxRoutes>,
  'boxProof' | 'boxInclusion' | 'boxSources' | 'boxDays' | 'boxDayFile'
>

/** The calls that let anyone check a day. */
export function proofHandlers({
  db,
  clock,
  rules,
}: {
  readonly db: Database
  readonly clock: Clock
  readonly rules: Pick<BoxFacts, 'numbers'>
}): ProofHandlers {
  const list = cached({
    read: async (day: HongKongDay) => describePools(db, day, await rules.numbers(day)),
    maxAgeMs: 1_000,
    clock,
  })
  return {
    async boxProof({ day }) {
      const found = await describeDay(db, readDayField(day))
      if (!found) throw refusal('not_found')
      return found
    },
    async boxInclusion({ box_id: boxId }) {
      const found = await proveBox(db, boxId)
      if (!found) throw refusal('not_found')
      return found
    },
    async boxSources({ day: text, asset, cursor, limit = DEFAULT_PAGE }) {
      const day = readDayField(text)
      const range = day > hongKongDayOf(clock.now()) ? undefined : await entriesOfDay(db, day)
      if (!range) throw refusal('not_found')
      const end = range.to === undefined ? (await readSourceCursor(db)).seq : range.to
      const below = decodeNumber(cursor) ?? end + 1n
      const archived = await readArchiveEnd(db)
      const page = await readSourceEntries(db, { after: range.after, below, asset, limit })
      return {
        ...(await list.get(day)),
        items: page.rows.map(entryItem),
        next_cursor: page.next === undefined ? null : page.next.toString(),
        is_archived: archived !== undefined && range.after < archived.seq,
      }
    },
    async boxDays({ cursor, limit = DEFAULT_PAGE }) {
      const rows = await dividedDays(db, cursor === undefined ? undefined : readDayField(cursor, 'cursor'), limit + 1)
      return pageOf(rows, limit, dayItem, ({ day }) => day)
    },
    async boxDayFile({ day: text }) {
      const day = readDayField(text)
      const row = await readDay(db, day)
      if (!row || !hasDayFile(row)) throw refusal('not_found')
      return { name: `clearwell-day-${day}.json`, type: 'application/json; charset=utf-8', pieces: dayFile(db, day) }
    },
  }
}

/** The balance of `rewards` at the end of a day, its part before the day, and the changes within it. */
async function describePools(db: Database, day: HongKongDay, current: BoxRules) {
  const [rewards, sources, contributed, row] = await Promise.all([
    readRewardsOf(db, day),
    readSources(db, day),
    readTally(db, day),
    readDay(db, day),
  ])
  const rules = row?.rules ? parseBoxRules(row.rules) : current
  const changeOf = (asset: string) =>
    sources.filter((each) => each.asset === asset).reduce((sum, { units }) => sum + units, 0n)
  const pools = poolItems(sourcesOf(rewards, contributed), rules).map((item) => {
    const units = rewards.find(({ asset }) => asset === item.asset)?.units ?? 0n
    return { ...item, opening: formatAmount({ asset: item.asset, units: units - changeOf(item.asset) }) }
  })
  return { pools, sources: sources.map(sourceItem) }
}

function rootItem({ day, boxes_root, root_at, block_not_before }: RootRow) {
  return {
    day,
    boxes_root,
    root_at: root_at.toISOString(),
    block_not_before: block_not_before?.toISOString() ?? null,
  }
}

function entryItem({ seq, kind, asset, units, hash, at }: AccountChange) {
  return {
    entry: Number(seq),
    kind,
    asset,
    amount: formatAmount({ asset, units }),
    entry_hash: toHex(hash),
    created_at: at.toISOString(),
  }
}

function dayItem({ day, rule, box_count, total_power, seed, boxes_root, root_at, void_reason, assets, shared }: Row) {
  const amounts = assets.map((asset, index) => ({ asset, units: BigInt(shared[index] ?? 0) }))
  return {
    day,
    rule,
    box_count,
    total_power: formatUnits(total_power, POWER_DECIMALS),
    seed,
    boxes_root,
    root_at: root_at?.toISOString() ?? null,
    void: void_reason !== null,
    void_reason,
    shared: amountTexts(amounts),
  }
}

type Row = Awaited<ReturnType<typeof dividedDays>>[number]

/** @throws Refusal `invalid_input` for a day that the calendar does not have. */
function readDayField(text: string, field = 'day'): HongKongDay {
  const day = parseHongKongDay(text)
  if (!day) throw invalidField(field, 'not a day such as 2026-11-22')
  return day
}
