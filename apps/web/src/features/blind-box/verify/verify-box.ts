import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import {
  commitmentOf,
  drawTicket,
  earliestBlockTime,
  encodeText,
  factorOfTicket,
  revealDeadline,
  toHex,
} from '@clearwell/rules/box-draw'
import { levelTenths, type MembershipLevel, powerThousandths, streakHundredths } from '@clearwell/rules/box-power'
import { poolOfDay, rewardOf } from '@clearwell/rules/box-reward'
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
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { BoxEvidence, DayEvidence, Evidence } from './box-evidence.ts'

const DECIMALS = 18
const POWER_DECIMALS = 3

/** The steps of a verification, in their order. */
export const CHECK_STEPS = [
  'commitment',
  'inclusion',
  'root',
  'block',
  'draw',
  'power',
  'total',
  'sources',
  'pool',
  'share',
] as const
export type CheckStepName = (typeof CHECK_STEPS)[number]

/** One figure of a step; `given` is published by the server, `computed` comes from this browser, `read` from the chain. */
export interface CheckFact {
  readonly name: string
  readonly value: string
  readonly from: 'given' | 'computed' | 'read' | 'noted'
}

export interface CheckStep {
  readonly name: CheckStepName
  /** `undefined`: the step could not be checked here. */
  readonly isRight: boolean | undefined
  readonly facts: readonly CheckFact[]
}

/** Repeats the draw and the reward of a box from what is published, step by step, with the rules of the server. */
export function verifyBox(evidence: Evidence): CheckStep[] {
  const checks: Record<CheckStepName, (evidence: Evidence) => Omit<CheckStep, 'name'>> = {
    commitment: checkCommitment,
    inclusion: checkInclusion,
    root: checkRoot,
    block: checkBlock,
    draw: checkDraw,
    power: checkPower,
    total: checkTotal,
    sources: checkSources,
    pool: checkPool,
    share: checkShare,
  }
  return CHECK_STEPS.map((name) => {
    try {
      return { name, ...checks[name](evidence) }
    } catch {
      // Malformed evidence proves nothing.
      return { name, isRight: false, facts: [] }
    }
  })
}

/** The seed is the one whose hash was published before the day. */
function checkCommitment({ day, noted: note }: Evidence): Omit<CheckStep, 'name'> {
  const { opensAt } = boundsOfDay(day.day as HongKongDay)
  const facts: CheckFact[] = [
    given('commitment', day.commitment ?? '—'),
    ...(day.committed_at ? [given('committed_at', day.committed_at)] : []),
    computed('opens_at', opensAt.toISOString()),
    ...(note?.commitment ? [noted('noted_commitment', note.commitment)] : []),
  ]
  const isNoted = !note?.commitment || note.commitment === day.commitment
  if (!isDrawn(day)) return { isRight: isNoted && isRightlyFlat(day), facts }
  const hash = toHex(commitmentOf(fromHex(day.seed ?? ''), sha256))
  const isEarly = day.committed_at !== null && new Date(day.committed_at) <= opensAt
  return {
    isRight: isNoted && isEarly && hash === day.commitment && isTimely(day),
    facts: [given('seed', day.seed ?? ''), computed('seed_hash', hash), ...facts],
  }
}

/** The box is one of those that the root fixes, with this level and this streak. */
function checkInclusion({ day, box, inclusion: { index, path }, noted: note }: Evidence): Omit<CheckStep, 'name'> {
  const leaf = leafOf(day, box)
  const tree = hashFromPath({ leaf, index, size: day.box_count, path: path.map(fromHex) }, sha256)
  const hash = tree ? toHex(tree) : '—'
  return {
    isRight: hash === day.tree && (!note || (note.level === box.level && note.streak === box.streak)),
    facts: [
      ...(note ? [noted('noted_factors', `${note.level} ${note.streak}`)] : []),
      given('leaf_text', `box ${day.day} ${box.box_id} ${box.level} ${box.streak}`),
      computed('leaf', toHex(leaf)),
      given('position', `${index + 1} / ${day.box_count}`),
      given('path', path.join('\n') || '—'),
      computed('computed_tree', hash),
      given('tree', day.tree),
    ],
  }
}

/** The root fixes the day's boxes, commitment and pool, and was published after the day. */
function checkRoot({ day }: Evidence): Omit<CheckStep, 'name'> {
  const text = rootText(headerOf(day))
  const root = toHex(sha256(encodeText(text)))
  const isAfter = new Date(day.root_at) >= boundsOfDay(day.day as HongKongDay).closesAt
  return {
    isRight: root === day.boxes_root && isAfter,
    facts: [given('root_text', text), computed('computed_root', root), given('boxes_root', day.boxes_root)],
  }
}

/** The block is the first one at least 30 s after the root, as a node of the chain has it. */
function checkBlock({ day, block }: Evidence): Omit<CheckStep, 'name'> {
  const { block_number, block_hash, block_time, previous_block_time } = day
  if (block_hash === null || block_time === null || previous_block_time === null)
    return { isRight: isDrawn(day) ? false : undefined, facts: [] }
  const earliest = earliestBlockTime(new Date(day.root_at))
  const isFirst = new Date(block_time) >= earliest && new Date(previous_block_time) < earliest
  const facts = [
    given('root_at', day.root_at),
    computed('earliest_block', earliest.toISOString()),
    given('block_number', String(block_number)),
    given('block_hash', block_hash),
    given('previous_block_time', previous_block_time),
    given('block_time', block_time),
  ]
  if (!block) return { isRight: isFirst ? undefined : false, facts }
  const isSame =
    block.hash === block_hash && sameTime(block.time, block_time) && sameTime(block.previous_time, previous_block_time)
  return {
    isRight: isFirst && isSame,
    facts: [...facts, { name: 'read_hash', value: block.hash, from: 'read' }],
  }
}

/** The draw follows from the seed, the block and the box. */
function checkDraw({ day, box }: Evidence): Omit<CheckStep, 'name'> {
  if (!isDrawn(day)) return { isRight: box.draw === 1, facts: [computed('factor', '×1')] }
  const seed = fromHex(day.seed ?? '')
  const blockHash = day.block_hash ?? ''
  const ticket = drawTicket({ seed, blockHash, boxId: box.box_id }, hmacSha256)
  const factor = factorOfTicket(ticket)
  return {
    isRight: factor === box.draw,
    facts: [
      given('seed', day.seed ?? ''),
      given('message', blockHash + box.box_id),
      computed('digest', toHex(hmacSha256(seed, encodeText(blockHash + box.box_id)))),
      computed('ticket', String(ticket)),
      computed('factor', `×${factor}`),
    ],
  }
}

function checkPower({ box }: Evidence): Omit<CheckStep, 'name'> {
  const level = box.level as MembershipLevel
  const power = formatUnits(powerThousandths({ ...box, level }), POWER_DECIMALS)
  return {
    isRight: power === box.power,
    facts: [
      computed('level_factor', `1 + 0.2 × ${box.level} = ${formatUnits(levelTenths(level), 1)}`),
      computed('streak_factor', `1 + 0.05 × ${box.streak} = ${formatUnits(streakHundredths(box.streak), 2)}`),
      given('factor', `×${box.draw}`),
      computed('power', power),
    ],
  }
}

/** All boxes of the day together make the tree and the total power. */
function checkTotal({ day, box, boxes }: Evidence): Omit<CheckStep, 'name'> {
  const facts = [given('box_count', String(day.box_count)), given('total_power', day.total_power)]
  if (!boxes) return { isRight: undefined, facts }
  let [tree, total, isEachRight] = [EMPTY_TREE, 0n, boxes.some(({ box_id }) => box_id === box.box_id)]
  for (const each of boxes) {
    tree = appendLeaf(tree, leafOf(day, each), sha256)
    const power = powerThousandths({ ...each, level: each.level as MembershipLevel })
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

/** The balance that the day shares a part of is the one before it and what the ledger's entries changed. */
function checkSources({ day, sources }: Evidence): Omit<CheckStep, 'name'> {
  if (!sources) return { isRight: undefined, facts: [] }
  const { pools, sources: sums, items } = sources
  const isOfItems = (asset: string, kind: string, amount: string) =>
    !items ||
    sumOf(items.filter((item) => item.asset === asset && item.kind === kind).map((item) => item.amount)) ===
      signedUnitsOf(amount)
  const assets = pools.map(({ asset, opening, rewards }) => {
    const changes = sums.filter((source) => source.asset === asset)
    const sum = signedUnitsOf(opening) + sumOf(changes.map(({ amount }) => amount))
    const published = day.pool.find((pool) => pool.asset === asset)?.rewards ?? '0'
    return {
      asset,
      opening,
      changes,
      sum,
      isRight:
        sum === unitsOf(rewards) &&
        sum === unitsOf(published) &&
        changes.every(({ kind, amount }) => isOfItems(asset, kind, amount)),
    }
  })
  return {
    isRight: assets.every(({ isRight }) => isRight),
    facts: assets
      .filter(({ sum, changes }) => sum > 0n || changes.length > 0)
      .map(({ asset, opening, changes, sum }, index) =>
        computed(
          `asset_${index}`,
          `${[opening, ...changes.map(({ amount }) => amount)].join(' + ').replaceAll('+ -', '− ')} = ${textOf(sum)} ${asset}`,
        ),
      ),
  }
}

function checkPool({ day }: Evidence): Omit<CheckStep, 'name'> {
  const pools = poolOfDay(day.pool.map(({ asset, rewards }) => ({ asset, units: unitsOf(rewards) })))
  return {
    isRight: pools.every(({ units }, index) => units === unitsOf(day.pool[index]?.pool ?? '')),
    facts: day.pool
      .filter(({ rewards }) => unitsOf(rewards) > 0n)
      .map(({ asset, rewards }, index) =>
        computed(
          `asset_${index}`,
          `${rewards} ÷ 30 = ${textOf(pools.find((pool) => pool.asset === asset)?.units)} ${asset}`,
        ),
      ),
  }
}

function checkShare({ day, box }: Evidence): Omit<CheckStep, 'name'> {
  const shares = rewardOf({
    pool: day.pool.map(({ asset, pool }) => ({ asset, units: unitsOf(pool) })),
    power: unitsOf(box.power),
    totalPower: unitsOf(day.total_power),
  })
  const isEqual =
    shares.length === box.rewards.length &&
    shares.every(({ asset, units }) =>
      box.rewards.some((reward) => reward.asset === asset && unitsOf(reward.amount) === units),
    )
  return {
    isRight: isEqual,
    facts: shares.map(({ asset, units }, index) => {
      const pool = day.pool.find((each) => each.asset === asset)?.pool
      return computed(`asset_${index}`, `${pool} × ${box.power} ÷ ${day.total_power} = ${textOf(units)} ${asset}`)
    }),
  }
}

/** Returns whether the day draws from the table. Otherwise each draw is ×1. */
function isDrawn({ rule, seed }: DayEvidence): boolean {
  return rule === 'table' && seed !== null
}

/** A day of the table without a seed draws ×1 once the seed is lost: that never helps the operator. */
function isRightlyFlat({ rule, seed }: DayEvidence): boolean {
  return rule === 'flat' || seed === null
}

function isTimely({ day, seed_at, block_time }: DayEvidence): boolean {
  if (seed_at === null || block_time === null) return false
  const at = new Date(seed_at)
  return at >= new Date(block_time) && at <= revealDeadline(day as HongKongDay)
}

function drawOf(day: DayEvidence, { box_id: boxId }: BoxEvidence): number {
  if (!isDrawn(day)) return 1
  return factorOfTicket(
    drawTicket({ seed: fromHex(day.seed ?? ''), blockHash: day.block_hash ?? '', boxId }, hmacSha256),
  )
}

function leafOf({ day }: DayEvidence, { box_id: id, level, streak }: BoxEvidence): Uint8Array {
  return leafHash({ day: day as HongKongDay, id, level: level as MembershipLevel, streak }, sha256)
}

function headerOf(day: DayEvidence): DayHeader {
  const { commitment, committed_at } = day
  return {
    day: day.day as HongKongDay,
    rule: day.rule,
    commitment:
      commitment !== null && committed_at !== null
        ? { hash: fromHex(commitment), publishedAt: new Date(committed_at) }
        : undefined,
    publishedAt: new Date(day.root_at),
    boxes: day.box_count,
    tree: fromHex(day.tree),
    ledgerSeq: BigInt(day.ledger_seq),
    entryHash: day.entry_hash,
    rewards: day.pool.map(({ asset, rewards }) => ({ asset, units: unitsOf(rewards) })),
  }
}

function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  return hmac(sha256, key, message)
}

function given(name: string, value: string): CheckFact {
  return { name, value, from: 'given' }
}

function noted(name: string, value: string): CheckFact {
  return { name, value, from: 'noted' }
}

function computed(name: string, value: string): CheckFact {
  return { name, value, from: 'computed' }
}

function sameTime(one: string, other: string): boolean {
  return new Date(one).getTime() === new Date(other).getTime()
}

/** @throws RangeError for text that is not whole bytes in hexadecimal. */
function fromHex(text: string): Uint8Array {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new RangeError('fromHex: not hexadecimal')
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}

function unitsOf(amount: string): bigint {
  const units = parseUnits(amount, DECIMALS)
  if (units === undefined) throw new RangeError(`unitsOf: ${amount} is not an amount`)
  return units
}

/** Of an amount that may be negative. */
function signedUnitsOf(amount: string): bigint {
  return amount.startsWith('-') ? -unitsOf(amount.slice(1)) : unitsOf(amount)
}

function sumOf(amounts: readonly string[]): bigint {
  return amounts.reduce((sum, amount) => sum + signedUnitsOf(amount), 0n)
}

function textOf(units = 0n): string {
  return formatUnits(units, DECIMALS)
}
