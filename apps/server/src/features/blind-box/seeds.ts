import { createHmac, hash } from 'node:crypto'
import { commitmentOf, type HmacSha256, type Sha256, toHex } from '@clearwell/rules/box-draw'
import type { HongKongDay } from '@clearwell/rules/hong-kong-day'

/**
 * Without a hash object, and with a result in Node's pool of small buffers: collecting those of a million boxes held the
 * writer for over 20 ms.
 */
export const sha256: Sha256 = (message) => Buffer.from(hash('sha256', message, 'hex'), 'hex')
export const hmacSha256: HmacSha256 = (key, message) => createHmac('sha256', key).update(message).digest()

/**
 * The secret seeds of days. Each is derived from one key of the configuration and is never stored, so neither the database
 * nor a backup of it has one before it is published. A published seed reveals nothing of the key or of other days. Only a
 * reader of the server's secrets can compute a seed early; every server with the same key computes the same.
 */
export interface Seeds {
  commitment(day: HongKongDay): string
  /** Returns `undefined` if the key has changed since the commitment: the seed is lost. */
  reveal(day: HongKongDay, commitment: string): Uint8Array | undefined
}

const KEY_BYTES = 32

/** @param key 32 secret bytes, used for nothing else. */
export function createSeeds(key: Uint8Array): Seeds {
  if (key.length !== KEY_BYTES) throw new RangeError(`the key of the seeds has ${KEY_BYTES} bytes, not ${key.length}`)
  const seedOf = (day: HongKongDay) => hmacSha256(key, Buffer.from(`clearwell box seed ${day}`))
  const commitment = (day: HongKongDay) => toHex(commitmentOf(seedOf(day), sha256))
  return {
    commitment,
    reveal: (day, committed) => (commitment(day) === committed ? seedOf(day) : undefined),
  }
}
