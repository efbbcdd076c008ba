import { type BoxRules, TICKETS } from './box-rules.ts'
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

/** `table`: drawn from the table of odds. `flat`: all of the day's boxes draw ×1. */
export type DrawRule = 'table' | 'flat'

/** The table of odds. */
export type Odds = BoxRules['odds']

const ENCODER = new TextEncoder()
/** The multiples of 100 below 2^32. A word from here on would make the first tickets more likely. */
const WORD_LIMIT = Math.floor(2 ** 32 / TICKETS) * TICKETS
const WORD_BYTES = 4
const SEED_BYTES = 32

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
  odds: Odds,
  hmacSha256: HmacSha256,
): number {
  return factorOfTicket(drawTicket(draw, hmacSha256), odds)
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
export function factorOfTicket(ticket: number, odds: Odds): number {
  if (!Number.isInteger(ticket) || ticket < 0) throw new RangeError(`factorOfTicket: ${ticket} is not a ticket`)
  let end = 0
  for (const { factor, tickets } of odds) {
    end += tickets
    if (ticket < end) return factor
  }
  throw new RangeError(`factorOfTicket: ${ticket} is not a ticket`)
}

/**
 * Returns the rule of a day. A day without a commitment from before it began is flat: its seed could have been chosen
 * later. So is a day without boxes: it has nothing to draw.
 *
 * @param allowsDraws false where the operator may not draw.
 */
export function drawRuleOf(
  day: HongKongDay,
  {
    allowsDraws,
    committedAt,
    boxes,
  }: { readonly allowsDraws: boolean; readonly committedAt: Date | undefined; readonly boxes: number },
): DrawRule {
  const isCommitted = committedAt !== undefined && committedAt <= boundsOfDay(day).opensAt
  return allowsDraws && isCommitted && boxes > 0 ? 'table' : 'flat'
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
