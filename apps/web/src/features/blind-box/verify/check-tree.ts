import { formatUnits } from '@clearwell/money/decimal'
import { encodeText, toHex } from '@clearwell/rules/box-draw'
import { type MembershipLevel, powerOf } from '@clearwell/rules/box-power'
import { parseBoxRules } from '@clearwell/rules/box-rules'
import {
  appendLeaf,
  type DayHeader,
  EMPTY_TREE,
  hashFromPath,
  leafHash,
  rootText,
  treeHash,
} from '@clearwell/rules/box-tree'
import { boundsOfDay, type HongKongDay } from '@clearwell/rules/hong-kong-day'
import { sha256 } from '@noble/hashes/sha2.js'
import type { BoxEvidence, DayEvidence, Evidence } from './box-evidence.ts'
import { drawOf, fromHex } from './check-draw.ts'
import { POWER_DECIMALS, unitsOf } from './check-reward.ts'
import { computed, given, noted, type Verdict } from './check-step.ts'

/** The clocks of the server and of this device may differ by so much. */
const CLOCKS_MS = 60_000

/** The box is one of those that the root fixes, with this level and this streak. */
export function checkInclusion({ day, box, inclusion: { index, path }, noted: note }: Evidence): Verdict {
  const leaf = leafOf(day, box)
  const tree = hashFromPath({ leaf, index, size: day.box_count, path: path.map(fromHex) }, sha256)
  const hash = tree ? toHex(tree) : '—'
  return {
    isRight: hash === day.tree && (!note || (note.level === box.level && note.streak === box.streak)),
    facts: [
      ...(note ? [noted('noted_factors', `${note.level} ${note.streak}`)] : []),
      given('leaf_text', `box ${day.day} ${box.box_id} ${box.level} ${box.streak} ${box.fees}`),
      computed('leaf', toHex(leaf)),
      given('position', `${index + 1} / ${day.box_count}`),
      given('path', path.join('\n') || '—'),
      computed('computed_tree', hash),
      given('tree', day.tree),
    ],
  }
}

/**
 * The root fixes the day's boxes, commitment and pool, and was published after the day. Where this browser saw the root, it is
 * the same one, and not dated later than it was seen.
 */
export function checkRoot({ day, seen }: Evidence): Verdict {
  const text = rootText(headerOf(day))
  const root = toHex(sha256(encodeText(text)))
  const rootAt = new Date(day.root_at)
  const { closesAt } = boundsOfDay(day.day as HongKongDay)
  const isAsSeen =
    !seen || (seen.root === day.boxes_root && new Date(seen.seenAt).getTime() + CLOCKS_MS >= rootAt.getTime())
  const isRight = root === day.boxes_root && rootAt >= closesAt && isAsSeen
  const isSeenLate = seen && day.block_time !== null && new Date(seen.seenAt) > new Date(day.block_time)
  return {
    isRight,
    ...(isRight && isSeenLate ? { warning: 'unseen_root' } : {}),
    facts: [
      computed('closes_at', closesAt.toISOString()),
      given('root_at', day.root_at),
      given('root_text', text),
      computed('computed_root', root),
      given('boxes_root', day.boxes_root),
      ...(seen ? [noted('seen_root', seen.root), noted('seen_at', seen.seenAt)] : []),
    ],
  }
}

/** All boxes of the day together make the tree and the total power. */
export function checkTotal({ day, box, boxes }: Evidence): Verdict {
  const facts = [given('box_count', String(day.box_count)), given('total_power', day.total_power)]
  if (!boxes) return { isRight: undefined, facts }
  const rules = parseBoxRules(day.rules)
  let [tree, total, isEachRight] = [EMPTY_TREE, 0n, boxes.some(({ box_id }) => box_id === box.box_id)]
  for (const each of boxes) {
    tree = appendLeaf(tree, leafOf(day, each), sha256)
    const power = powerOf({ ...each, fees: unitsOf(each.fees), level: each.level as MembershipLevel }, rules)
    total += power
    isEachRight &&= each.draw === drawOf(day, each) && each.power === formatUnits(power, POWER_DECIMALS)
  }
  const computedTotal = formatUnits(total, POWER_DECIMALS)
  const hash = toHex(treeHash(tree, sha256))
  return {
    isRight: isEachRight && hash === day.tree && computedTotal === day.total_power && boxes.length === day.box_count,
    facts: [...facts, computed('computed_tree', hash), computed('computed_total', computedTotal)],
  }
}

function leafOf({ day }: DayEvidence, { box_id: id, level, streak, fees }: BoxEvidence): Uint8Array {
  const box = { day: day as HongKongDay, id, level: level as MembershipLevel, streak, fees: unitsOf(fees) }
  return leafHash(box, sha256)
}

function headerOf(day: DayEvidence): DayHeader {
  const { commitment, committed_at } = day
  return {
    day: day.day as HongKongDay,
    rule: day.rule,
    rules: parseBoxRules(day.rules),
    commitment:
      commitment !== null && committed_at !== null
        ? { hash: fromHex(commitment), publishedAt: new Date(committed_at) }
        : undefined,
    publishedAt: new Date(day.root_at),
    boxes: day.box_count,
    tree: fromHex(day.tree),
    ledgerSeq: BigInt(day.ledger_seq),
    entryHash: day.entry_hash,
    sources: day.pool.map(({ asset, rewards, contributed }) => ({
      asset,
      rewards: unitsOf(rewards),
      contributed: unitsOf(contributed),
    })),
  }
}
