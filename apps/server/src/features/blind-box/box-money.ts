import type { ResponseOf } from '@clearwell/api/routes'
import type { EntryDraft } from '@clearwell/ledger/command'
import { type Command, type State, type StateKey, write } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import { readBalances } from '@clearwell/ledger/read-balances'
import { transfer } from '@clearwell/ledger/transfer'
import type { Writer } from '@clearwell/ledger/writer'
import type { Amount } from '@clearwell/money/amount'
import { formatAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { forfeitOf } from '@clearwell/rules/box-reward'
import { claimBox, expireBox } from '@clearwell/rules/box-status'
import type { HongKongDay } from '@clearwell/rules/hong-kong-day'
import { type OpeningWindow, openingAt } from '@clearwell/rules/opening-hours'
import type { OwnedBox } from '../../domain/boxes/box.store.ts'
import { boxDayRecords, boxSettlements, type PoolRow } from '../../domain/boxes/box.tables.ts'
import { amountTexts, sumByAsset } from '../../domain/boxes/box-item.ts'
import { DIVISION } from '../../domain/boxes/box-sources.store.ts'
import { type DayRecord, knownRecord, recordText } from '../../domain/boxes/day-records.ts'
import { REWARDS, TREASURY, userAccount } from '../../platform/ledger/accounts.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { freeTreasury, treasuryDebts } from '../../platform/ledger/treasury-debts.ts'

/** Assigned rewards that are not claimed yet. */
export const BOX_REWARDS = 'box_rewards'
/** The kind of the entry by which `treasury` pays for a void day. */
const FORFEIT = 'box_forfeit'

/**
 * Takes the sum of a day's rewards out of `rewards`, once for each day.
 *
 * @param record the day with its pools, which bookkeepers store with the entry. A day that is on record as divided moves nothing: a restore
 * has imported its entry, and the rewards of its boxes are computed again. Absent in simulations.
 */
export function divideDay(
  day: HongKongDay,
  shared: readonly Amount[],
  record?: DayRecord,
): Command<{ divided: boolean; divided_at?: string }> {
  return {
    kind: 'divide_box_day',
    owner: 'blind-box',
    key: `divide-${day}`,
    payload: { day, shared: shared.map((each) => `${formatAmount(each)} ${each.asset}`) },
    preload: [
      { table: boxDayRecords, id: day },
      ...shared.flatMap(({ asset }) => [
        { account: REWARDS, asset },
        { account: BOX_REWARDS, asset },
      ]),
    ],
    decide(state, { now }) {
      const known = record && endOnRecord(state, record)
      if (known) return { response: { divided: shared.length > 0, divided_at: known.toISOString() } }
      const entries =
        shared.length === 0 ? [] : [moved({ kind: DIVISION, reference: day, from: REWARDS, to: BOX_REWARDS }, shared)]
      const ended = record && { rows: [endRecord(record, now)] }
      return {
        ...{ entries, ...ended },
        response: { divided: entries.length > 0, ...(record && { divided_at: now.toISOString() }) },
      }
    },
  }
}

/**
 * Pays into `rewards` what a void day would have divided, once for each day. What `treasury` lacks stays a debt, which its next
 * income pays first: see {@link settleDebts}.
 *
 * @param record as for {@link divideDay}.
 */
export function forfeitDay(
  day: HongKongDay,
  pool: readonly Amount[],
  record?: DayRecord,
): Command<{ forfeited: boolean; divided_at?: string }> {
  return {
    kind: 'forfeit_box_day',
    owner: 'blind-box',
    key: `forfeit-${day}`,
    payload: { day, pool: pool.map((each) => `${formatAmount(each)} ${each.asset}`) },
    preload: [{ table: boxDayRecords, id: day }, ...pool.flatMap(({ asset }) => treasuryKeys(asset))],
    decide(state, { now }) {
      const known = record && endOnRecord(state, record)
      if (known) return { response: { forfeited: pool.length > 0, divided_at: known.toISOString() } }
      const parts = pool.map(({ asset, units }) => ({ asset, ...forfeitOf(units, freeTreasury(state, asset)) }))
      const paid = parts.map(({ asset, paid: units }) => ({ asset, units })).filter(({ units }) => units > 0n)
      return {
        entries: paid.length === 0 ? [] : [forfeited(day, paid)],
        rows: [
          ...parts
            .filter(({ owed }) => owed > 0n)
            .map(({ asset, owed }) => write(treasuryDebts, { id: asset, units: debtOf(state, asset) + owed })),
          ...(record ? [endRecord(record, now)] : []),
        ],
        response: { forfeited: paid.length > 0, ...(record && { divided_at: now.toISOString() }) },
      }
    },
  }
}

/**
 * Returns when the pool of a day was shared, if it is on record.
 *
 * @throws Error if the day has another root now, or its boxes would share something else.
 */
function endOnRecord(state: State, { day, pools }: DayRecord): Date | undefined {
  const known = knownRecord(state, day.day)
  if (known?.day.boxes_root && known.day.boxes_root !== day.boxes_root)
    throw new Error(`${day.day} has the root ${day.boxes_root}, and ${known.day.boxes_root} is on record`)
  if (!known?.day.divided_at) return undefined
  const text = (of: readonly PoolRow[]) =>
    of
      .map(({ asset, pool, shared }) => `${asset} ${pool} ${shared}`)
      .toSorted()
      .join(', ')
  if (known.day.void_reason !== day.void_reason || text(known.pools) !== text(pools))
    throw new Error(`${day.day} would share ${text(pools)}, and ${text(known.pools)} is on record`)
  return known.day.divided_at
}

function endRecord({ day, pools }: DayRecord, now: Date) {
  const ended = { ...day, phase: 'divided', divided_at: now } as const
  return write(boxDayRecords, { id: day.day, body: recordText({ day: ended, pools }), at: now })
}

/** Pays a debt of `treasury` to `rewards` from what it holds now. */
function settleDebt(asset: AssetId): Command<{ settled: boolean }> {
  return {
    kind: 'settle_treasury_debt',
    owner: 'blind-box',
    payload: { asset },
    preload: treasuryKeys(asset),
    decide(state) {
      const { paid, owed } = forfeitOf(debtOf(state, asset), state.balance(TREASURY, asset))
      if (paid === 0n) return { response: { settled: false } }
      return {
        entries: [forfeited('debt', [{ asset, units: paid }])],
        rows: [write(treasuryDebts, { id: asset, units: owed })],
        response: { settled: true },
      }
    },
  }
}

/** Pays the debts that `treasury` can pay, before anything else of its income is used. */
export async function settleDebts({ db, writer }: { db: Database; writer: Pick<Writer, 'execute'> }): Promise<void> {
  const owed = await db.query<{ asset: AssetId }>('select id as asset from treasury_debts where units > 0')
  if (owed.length === 0) return
  const held = await readBalances(db, [TREASURY])
  for (const { asset } of owed)
    if (held.some((each) => each.asset === asset && each.units > 0n)) await writer.execute(settleDebt(asset))
}

function treasuryKeys(asset: AssetId): StateKey[] {
  return [
    { account: TREASURY, asset },
    { account: REWARDS, asset },
    { table: treasuryDebts, id: asset },
  ]
}

function debtOf(state: State, asset: AssetId): bigint {
  return state.row(treasuryDebts, asset)?.units ?? 0n
}

function forfeited(reference: string, amounts: readonly Amount[]): EntryDraft {
  return moved({ kind: FORFEIT, reference, from: TREASURY, to: REWARDS }, amounts)
}

/** Claims some boxes of a user together. A box that was claimed or has expired meanwhile is left out. */
export function claimBoxes(input: {
  readonly userId: string
  /** Boxes of this user. */
  readonly assigned: readonly OwnedBox[]
  /** The ids that the client sent; absent for all. */
  readonly asked: readonly string[] | undefined
  /** Daily opening times of claims. */
  readonly opening: OpeningWindow
  readonly key: string | undefined
}): Command<ResponseOf<'claimBoxes'>> {
  const { userId, assigned, asked, opening, key } = input
  return {
    kind: 'claim_boxes',
    owner: userId,
    key,
    payload: { box_ids: asked ?? 'all' },
    preload: assigned.map(({ boxId }) => ({ table: boxSettlements, id: boxId })),
    decide(state, { now }) {
      const window = openingAt(now, opening)
      if (!window.open) throw refusal('not_open', { opens_at: window.opensAt.toISOString() })
      const claimed = assigned.filter((box) => isUnsettled(state, box) && claimBox(box, now) !== undefined)
      // Another tab has claimed them, or they have expired, since they were read.
      if (claimed.length === 0) throw refusal('conflict', { reason: 'nothing_to_claim' })
      const account = userAccount(userId, 'available')
      return {
        entries: claimed.map((box) =>
          moved({ kind: 'box_reward', reference: box.boxId, from: BOX_REWARDS, to: account }, box.reward),
        ),
        rows: claimed.map(({ boxId }) => write(boxSettlements, { id: boxId, outcome: 'claimed', settled_at: now })),
        response: {
          claimed: claimed.map(({ boxId }) => boxId),
          amount: amountTexts(sumByAsset(claimed.flatMap(({ reward }) => reward))),
          boxes: claimed.map(({ boxId, day, reward }) => ({ box_id: boxId, day, reward: amountTexts(reward) })),
          claimed_at: now.toISOString(),
        },
      }
    },
  }
}

/** Returns expired rewards to `rewards`. */
export function expireBoxes(assigned: readonly OwnedBox[]): Command<{ expired: number }> {
  return {
    kind: 'expire_boxes',
    owner: 'blind-box',
    payload: { boxes: assigned.length },
    preload: assigned.map(({ boxId }) => ({ table: boxSettlements, id: boxId })),
    decide(state, { now }) {
      const expired = assigned.filter((box) => isUnsettled(state, box) && expireBox(box, now) !== undefined)
      return {
        entries: expired.map((box) =>
          moved({ kind: 'box_expiry', reference: box.boxId, from: BOX_REWARDS, to: REWARDS }, box.reward),
        ),
        rows: expired.map(({ boxId }) => write(boxSettlements, { id: boxId, outcome: 'expired', settled_at: now })),
        response: { expired: expired.length },
      }
    },
  }
}

function isUnsettled(state: State, { boxId }: OwnedBox): boolean {
  return state.row(boxSettlements, boxId) === undefined
}

function moved(
  { kind, reference, from, to }: { kind: string; reference: string; from: string; to: string },
  amounts: readonly Amount[],
): EntryDraft {
  const postings = amounts.flatMap(({ asset, units }) => transfer({ from, to, asset, units }))
  return { kind, reference, postings }
}
