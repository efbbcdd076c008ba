import { commitmentOf, drawTicket, encodeText, factorOfTicket, toHex } from '@clearwell/rules/box-draw'
import { blockTimeOf, revealDeadline } from '@clearwell/rules/box-ladder'
import { parseBoxRules } from '@clearwell/rules/box-rules'
import { boundsOfDay, type HongKongDay } from '@clearwell/rules/hong-kong-day'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { BoxEvidence, DayEvidence, Evidence } from './box-evidence.ts'
import { type CheckFact, computed, given, noted, type Verdict } from './check-step.ts'

/** The seed is the one whose hash was published before the day. */
export function checkCommitment({ day, noted: note }: Evidence): Verdict {
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

/** The block is the first one at or after its time, which follows from the root, as a node of the chain has it. */
export function checkBlock({ day, block }: Evidence): Verdict {
  const { block_number, block_hash, block_time, previous_block_time } = day
  if (block_hash === null || block_time === null || previous_block_time === null)
    return { isRight: isDrawn(day) ? false : undefined, facts: [] }
  const earliest = blockTimeOf(day.day as HongKongDay, new Date(day.root_at), parseBoxRules(day.rules))
  if (!earliest) return { isRight: false, facts: [given('root_at', day.root_at)] }
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
export function checkDraw({ day, box }: Evidence): Verdict {
  if (!isDrawn(day)) return { isRight: box.draw === 1, facts: [computed('factor', '×1')] }
  const seed = fromHex(day.seed ?? '')
  const blockHash = day.block_hash ?? ''
  const ticket = drawTicket({ seed, blockHash, boxId: box.box_id }, hmacSha256)
  const factor = factorOfTicket(ticket, parseBoxRules(day.rules).odds)
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

export function drawOf(day: DayEvidence, { box_id: boxId }: BoxEvidence): number {
  if (!isDrawn(day)) return 1
  const ticket = drawTicket({ seed: fromHex(day.seed ?? ''), blockHash: day.block_hash ?? '', boxId }, hmacSha256)
  return factorOfTicket(ticket, parseBoxRules(day.rules).odds)
}

/** Returns whether the day draws from the table. Otherwise each draw is ×1. */
function isDrawn({ rule, seed }: DayEvidence): boolean {
  return rule === 'table' && seed !== null
}

/** A day of the table without a seed is void, and has nothing to verify. */
function isRightlyFlat({ rule }: DayEvidence): boolean {
  return rule === 'flat'
}

function isTimely({ rules, seed_at, block_time }: DayEvidence): boolean {
  if (seed_at === null || block_time === null) return false
  const at = new Date(seed_at)
  return at >= new Date(block_time) && at <= revealDeadline(new Date(block_time), parseBoxRules(rules))
}

function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  return hmac(sha256, key, message)
}

function sameTime(one: string, other: string): boolean {
  return new Date(one).getTime() === new Date(other).getTime()
}

/** @throws RangeError for text that is not whole bytes in hexadecimal. */
export function fromHex(text: string): Uint8Array {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new RangeError('fromHex: not hexadecimal')
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}
