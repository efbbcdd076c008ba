import { createHash, createHmac } from 'node:crypto'
import { type Amount, amountOf, formatAmount } from '@clearwell/money/amount'
import { formatUnits } from '@clearwell/money/decimal'
import {
  commitmentOf,
  type DrawRule,
  drawTicket,
  factorOfTicket,
  type HmacSha256,
  type Sha256,
  toHex,
} from '@clearwell/rules/box-draw'
import { blockTimeOf } from '@clearwell/rules/box-ladder'
import { levelFactorBps, type MembershipLevel, powerOf, streakFactorBps } from '@clearwell/rules/box-power'
import { poolOfDay, rewardOf } from '@clearwell/rules/box-reward'
import { boxRulesText, DEFAULT_BOX_RULES as rules } from '@clearwell/rules/box-rules'
import { appendLeaf, dayRoot, EMPTY_TREE, inclusionPath, leafHash, treeHash } from '@clearwell/rules/box-tree'
import { boundsOfDay } from '@clearwell/rules/hong-kong-day'
import type { DayFile } from '../verify-day.mjs'

const sha256: Sha256 = (message) => createHash('sha256').update(message).digest()
const hmacSha256: HmacSha256 = (key, message) => createHmac('sha256', key).update(message).digest()

const SEED = Uint8Array.from({ length: 32 }, (_, index) => index)
const BLOCK_HASH = '0x957d9d880944a8c21a12777568583de6bd5dad36675e405b6bab102aac4ac8f2'
const DAY = '2026-11-22'
const { opensAt, closesAt } = boundsOfDay(DAY)
/** The fees bind the pool of BNB, the balance that of USDT. */
const SOURCES = [
  { asset: 'BNB', rewards: amountOf('0.75', 'BNB').units, contributed: amountOf('0.6', 'BNB').units },
  { asset: 'RT', rewards: 0n, contributed: 0n },
  { asset: 'USDT', rewards: amountOf('600.5', 'USDT').units, contributed: amountOf('900', 'USDT').units },
] as const

export interface HonestBox {
  readonly id: string
  readonly level: MembershipLevel
  readonly streak: number
  /** In base units of USDT. */
  readonly fees: bigint
}

/** Boxes with ids, levels and streaks that repeat. The ids are in ascending order. */
export function honestBoxes(count: number): HonestBox[] {
  return Array.from({ length: count }, (_, index) => ({
    id: (index * 0x1001).toString(16).padStart(32, '0'),
    level: (index % 6) as MembershipLevel,
    streak: (index * 7) % 31,
    fees: BigInt((index * 37) % 101) * 10n ** 17n,
  }))
}

const ROOT_AT = new Date(closesAt.getTime() + 1_500)

/** A day's file as the rules of the product make it. */
export function honestDay({
  boxes = honestBoxes(23),
  rule = 'table',
  seed = SEED,
  rootAt = ROOT_AT,
}: {
  readonly boxes?: readonly HonestBox[]
  readonly rule?: DrawRule
  readonly seed?: Uint8Array
  readonly rootAt?: Date
} = {}): DayFile {
  const isDrawn = rule === 'table'
  const tree = treeHash(
    boxes.reduce((grown, box) => appendLeaf(grown, leafHash({ day: DAY, ...box }, sha256), sha256), EMPTY_TREE),
    sha256,
  )
  const drawn = boxes.map((box) => {
    const ticket = isDrawn ? drawTicket({ seed, blockHash: BLOCK_HASH, boxId: box.id }, hmacSha256) : null
    const draw = ticket === null ? 1 : factorOfTicket(ticket, rules.odds)
    return { ...box, ticket, draw, power: powerOf({ ...box, draw }, rules) }
  })
  const totalPower = drawn.reduce((sum, { power }) => sum + power, 0n)
  const pool = poolOfDay(SOURCES, rules)
  const divided = drawn.map((box) => ({ ...box, reward: rewardOf({ pool, power: box.power, totalPower }) }))
  const root = {
    commitment: { hash: commitmentOf(seed, sha256), publishedAt: new Date(opensAt.getTime() - 3_600_000) },
    publishedAt: rootAt,
    ledgerSeq: 5_120n,
    entryHash: '9f'.repeat(32),
  }
  const header = { day: DAY, rule, rules, boxes: boxes.length, tree, sources: SOURCES, ...root } as const
  return {
    format: 'clearwell box day 2',
    header_number: null,
    day: DAY,
    opens_at: opensAt.toISOString(),
    closes_at: closesAt.toISOString(),
    rule,
    rules: boxRulesText(rules),
    commitment: toHex(root.commitment.hash),
    committed_at: root.commitment.publishedAt.toISOString(),
    ledger_seq: Number(root.ledgerSeq),
    entry_hash: root.entryHash,
    tree: toHex(tree),
    boxes_root: toHex(dayRoot(header, sha256)),
    root_at: root.publishedAt.toISOString(),
    ...(rule === 'table' ? blockAfter(root.publishedAt) : NO_BLOCK),
    seed: isDrawn ? toHex(seed) : null,
    seed_at: isDrawn ? new Date(blockDueAt(rootAt).getTime() + 60_000).toISOString() : null,
    box_count: boxes.length,
    total_power: formatUnits(totalPower, 18),
    pool: pool.map((amount, index) => poolItem(amount, index, sharedOf(divided, amount.asset))),
    boxes: divided.map(({ id, level, streak, fees, ticket, draw, power, reward }) => ({
      box_id: id,
      level,
      streak,
      fees: formatUnits(fees, 18),
      level_factor: formatUnits(levelFactorBps(level, rules), 4),
      streak_factor: formatUnits(streakFactorBps(streak, rules), 4),
      ticket,
      draw,
      power: formatUnits(power, 18),
      rewards: reward.map((amount) => ({ asset: amount.asset, amount: formatAmount(amount) })),
    })),
  }
}

function poolItem(amount: Amount, index: number, shared: bigint) {
  return {
    asset: amount.asset,
    rewards: formatUnits(SOURCES[index]?.rewards ?? 0n, 18),
    contributed: formatUnits(SOURCES[index]?.contributed ?? 0n, 18),
    pool: formatAmount(amount),
    shared: formatAmount({ asset: amount.asset, units: shared }),
  }
}

/** The blocks of the chain around the honest day's. */
export async function honestBlock(number: number) {
  const { block_number, block_hash, block_time, previous_block_time } = blockAfter(ROOT_AT)
  if (number === block_number) return { hash: block_hash, time: block_time }
  if (number === block_number - 1) return { hash: `0x${'11'.repeat(32)}`, time: previous_block_time }
  return undefined
}

export function honestPath(boxes: readonly HonestBox[], index: number): string[] {
  const hashes = boxes.map((box) => leafHash({ day: DAY, ...box }, sha256))
  return inclusionPath(hashes, index, sha256).map(toHex)
}

const NO_BLOCK = {
  block_not_before: null,
  block_number: null,
  block_hash: null,
  block_time: null,
  previous_block_time: null,
}

function blockAfter(rootAt: Date) {
  const due = blockDueAt(rootAt)
  const atSecond = (seconds: number) => new Date(due.getTime() + seconds * 1_000).toISOString()
  return {
    block_not_before: due.toISOString(),
    block_number: 4_321,
    block_hash: BLOCK_HASH,
    block_time: atSecond(1),
    previous_block_time: atSecond(-2),
  }
}

/** A root that is too late for every block keeps the last one: the day is then wrong. */
function blockDueAt(rootAt: Date): Date {
  return blockTimeOf(DAY, rootAt, rules) ?? new Date(closesAt.getTime() + 86_400_000)
}

function sharedOf(boxes: readonly { readonly reward: readonly Amount[] }[], asset: string): bigint {
  return boxes
    .flatMap(({ reward }) => reward)
    .reduce((sum, each) => (each.asset === asset ? sum + each.units : sum), 0n)
}
