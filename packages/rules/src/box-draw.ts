import { boundsOfDay, type HongKongDay } from './hong-kong-day.ts'

/**
 * The verifiable draw of blind boxes. docs/concepts/draw.md defines every byte that is hashed, with test vectors.
 *
 * The hash functions are arguments, because this package imports none: Node has them built in, and a browser's are
 * asynchronous.
 */

/** SHA-256 of FIPS 180-4. */
export type Sha256 = (message: Uint8Array) => Uint8Array
/** HMAC-SHA256 of RFC 2104. */
export type HmacSha256 = (key: Uint8Array, message: Uint8Array) => Uint8Array

/** `table`: drawn from {@link DRAW_TABLE}. `flat`: every box of the day draws ×1. */
export type DrawRule = 'table' | 'flat'

/** The factors and how many of 100 tickets each has, in the order of the tickets. */
export const DRAW_TABLE = [
  { factor: 1, tickets: 60 },
  { factor: 2, tickets: 25 },
  { factor: 3, tickets: 10 },
  { factor: 5, tickets: 4 },
  { factor: 10, tickets: 1 },
] as const

export type DrawFactor = (typeof DRAW_TABLE)[number]['factor']

const ENCODER = new TextEncoder()
const TICKETS = 100
/** The multiples of 100 below 2^32. A word from here on would make the first tickets more likely. */
const WORD_LIMIT = Math.floor(2 ** 32 / TICKETS) * TICKETS
const WORD_BYTES = 4
const SEED_BYTES = 32

/** The block of a draw is the first one at least this long after the day's root. */
export const BLOCK_DELAY_MS = 30_000
/** A root is expected within this time after the end of its day. A later one counts, and verifiers warn of it. */
const ROOT_WITHIN_MS = 5 * 60_000
/** A seed that is not published within this time after the end of its day counts as lost. */
export const REVEAL_WITHIN_MS = 24 * 3_600_000

/** Computes the commitment to a seed: SHA-256 of its 32 bytes, published before the day. */
export function commitmentOf(seed: Uint8Array, sha256: Sha256): Uint8Array {
  assertSeed(seed)
  return sha256(seed)
}

/**
 * Draws the factor of a box: HMAC-SHA256(seed, block hash ‖ box id), made a ticket from 0 to 99, looked up in the table.
 *
 * The digest is read as eight numbers of 32 bits, big-endian. The ticket is the first number below 4,294,967,200, modulo
 * 100: that limit is a multiple of 100, so every ticket is exactly as likely as any other. If all eight are above it (less
 * than once in 10^61 boxes), the digest in hexadecimal is the next message.
 *
 * @param blockHash `0x` and 64 hexadecimal digits in lower case.
 * @param boxId 32 hexadecimal digits in lower case.
 * @throws RangeError if an input has another form, since it would be another message.
 */
export function drawFactor(
  draw: { readonly seed: Uint8Array; readonly blockHash: string; readonly boxId: string },
  hmacSha256: HmacSha256,
): DrawFactor {
  return factorOfTicket(drawTicket(draw, hmacSha256))
}

/** Computes the ticket of a box, 0 to 99. See {@link drawFactor}. */
export function drawTicket(
  { seed, blockHash, boxId }: { readonly seed: Uint8Array; readonly blockHash: string; readonly boxId: string },
  hmacSha256: HmacSha256,
): number {
  assertSeed(seed)
  if (!/^0x[0-9a-f]{64}$/.test(blockHash)) throw new RangeError(`drawTicket: ${blockHash} is not a block hash`)
  if (!isBoxId(boxId)) throw new RangeError(`drawTicket: ${boxId} is not a box id`)
  let digest = hmacSha256(seed, encodeText(blockHash + boxId))
  let ticket = ticketOf(digest)
  while (ticket === undefined) {
    digest = hmacSha256(seed, encodeText(toHex(digest)))
    ticket = ticketOf(digest)
  }
  return ticket
}

/** @throws RangeError if the ticket is not a whole number from 0 to 99. */
export function factorOfTicket(ticket: number): DrawFactor {
  if (!Number.isInteger(ticket) || ticket < 0) throw new RangeError(`factorOfTicket: ${ticket} is not a ticket`)
  let end = 0
  for (const { factor, tickets } of DRAW_TABLE) {
    end += tickets
    if (ticket < end) return factor
  }
  throw new RangeError(`factorOfTicket: ${ticket} is not a ticket`)
}

/**
 * Returns the rule of a day. A day without a commitment from before it began is flat: its seed could have been chosen
 * later.
 *
 * @param allowsDraws false where the operator may not draw.
 */
export function drawRuleOf(
  day: HongKongDay,
  { allowsDraws, committedAt }: { readonly allowsDraws: boolean; readonly committedAt: Date | undefined },
): DrawRule {
  const isCommitted = committedAt !== undefined && committedAt <= boundsOfDay(day).opensAt
  return allowsDraws && isCommitted ? 'table' : 'flat'
}

/** Returns the time that the block of a draw must reach. Its hash is unknown when the root is published. */
export function earliestBlockTime(rootAt: Date): Date {
  return new Date(rootAt.getTime() + BLOCK_DELAY_MS)
}

/** Returns whether a day's root came so late that the operator could have waited for another block. */
export function isRootDelayed(day: HongKongDay, rootAt: Date): boolean {
  return rootAt.getTime() > boundsOfDay(day).closesAt.getTime() + ROOT_WITHIN_MS
}

/** Returns the last moment at which the seed of a day counts. After it, every draw of the day is ×1. */
export function revealDeadline(day: HongKongDay): Date {
  return new Date(boundsOfDay(day).closesAt.getTime() + REVEAL_WITHIN_MS)
}

export function isBoxId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text)
}

export function encodeText(text: string): Uint8Array {
  return ENCODER.encode(text)
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns `undefined` for a digest whose eight words are all at or above the limit. */
function ticketOf(digest: Uint8Array): number | undefined {
  const view = new DataView(digest.buffer, digest.byteOffset, digest.byteLength)
  for (let offset = 0; offset < digest.byteLength; offset += WORD_BYTES) {
    const word = view.getUint32(offset)
    if (word < WORD_LIMIT) return word % TICKETS
  }
  return undefined
}

function assertSeed(seed: Uint8Array): void {
  if (seed.length !== SEED_BYTES) throw new RangeError(`a seed has ${SEED_BYTES} bytes, not ${seed.length}`)
}
