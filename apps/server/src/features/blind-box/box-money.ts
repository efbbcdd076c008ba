import type { EntryDraft } from '@clearwell/ledger/command'
import { type Command, type State, write } from '@clearwell/ledger/command'
import type { Amount } from '@clearwell/money/amount'
import { formatAmount } from '@clearwell/money/amount'
import { claimBox, expireBox, type ToBeAssigned } from '@clearwell/rules/box-status'
import type { HongKongDay } from '@clearwell/rules/hong-kong-day'
import { REWARDS, userAccount } from '../../platform/ledger/accounts.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { boxSettlements } from './blind-box.tables.ts'

/** Assigned rewards that are not claimed yet. */
export const BOX_REWARDS = 'box_rewards'
/** The kind of the entry that takes a day's rewards out of `rewards`. */
export const DIVISION = 'box_division'

/** A box with an assigned reward, as the division stored it. */
export interface AssignedBox extends ToBeAssigned {
  readonly boxId: string
  readonly day: HongKongDay
}

/** Takes the sum of a day's rewards out of `rewards`, once for each day. */
export function divideDay(day: HongKongDay, shared: readonly Amount[]): Command<{ divided: boolean }> {
  return {
    kind: 'divide_box_day',
    owner: 'blind-box',
    key: `divide-${day}`,
    payload: { day, shared: shared.map((each) => `${formatAmount(each)} ${each.asset}`) },
    preload: shared.flatMap(({ asset }) => [
      { account: REWARDS, asset },
      { account: BOX_REWARDS, asset },
    ]),
    decide() {
      const entries =
        shared.length === 0 ? [] : [moved({ kind: DIVISION, reference: day, from: REWARDS, to: BOX_REWARDS }, shared)]
      return { entries, response: { divided: entries.length > 0 } }
    },
  }
}

/** Claims some boxes of a user together. A box that was claimed or has expired meanwhile is left out. */
export function claimBoxes(input: {
  readonly userId: string
  /** Boxes of this user. */
  readonly assigned: readonly AssignedBox[]
  /** The ids that the client sent; absent for all. */
  readonly asked: readonly string[] | undefined
  readonly key: string | undefined
}): Command<{ claimed: string[]; amounts: { asset: string; amount: string }[] }> {
  const { userId, assigned, asked, key } = input
  return {
    kind: 'claim_boxes',
    owner: userId,
    key,
    payload: { box_ids: asked ?? 'all' },
    preload: assigned.map(({ boxId }) => ({ table: boxSettlements, id: boxId })),
    decide(state, { now }) {
      const claimed = assigned.filter((box) => isUnsettled(state, box) && claimBox(box, now) !== undefined)
      if (claimed.length === 0) throw refusal('not_found')
      const account = userAccount(userId, 'available')
      return {
        entries: claimed.map((box) =>
          moved({ kind: 'box_reward', reference: box.boxId, from: BOX_REWARDS, to: account }, box.reward),
        ),
        rows: claimed.map(({ boxId }) => write(boxSettlements, { id: boxId, outcome: 'claimed', settled_at: now })),
        response: {
          claimed: claimed.map(({ boxId }) => boxId),
          amounts: sumsOf(claimed).map((each) => ({ asset: each.asset, amount: formatAmount(each) })),
        },
      }
    },
  }
}

/** Returns expired rewards to `rewards`. */
export function expireBoxes(assigned: readonly AssignedBox[]): Command<{ expired: number }> {
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

function isUnsettled(state: State, { boxId }: AssignedBox): boolean {
  return state.row(boxSettlements, boxId) === undefined
}

function moved(
  { kind, reference, from, to }: { kind: string; reference: string; from: string; to: string },
  amounts: readonly Amount[],
): EntryDraft {
  const postings = amounts.flatMap(({ asset, units }) => [
    { account: from, asset, units: -units },
    { account: to, asset, units },
  ])
  return { kind, reference, postings }
}

function sumsOf(boxes: readonly AssignedBox[]): Amount[] {
  const sums = new Map<Amount['asset'], bigint>()
  for (const { asset, units } of boxes.flatMap(({ reward }) => reward)) sums.set(asset, (sums.get(asset) ?? 0n) + units)
  return [...sums].map(([asset, units]) => ({ asset, units }))
}
