import { getAddress, isAddress } from 'viem'
import { refusal } from './refuse.ts'

/**
 * Reads a wallet address: 0x and 40 hex characters, and where the case is mixed it must be the checksum's.
 *
 * @returns the address in lower case, which is how Clearwell knows a user.
 * @throws Refusal `invalid_account`.
 */
export function parseAddress(text: string): `0x${string}` {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) {
    throw refusal('invalid_account', { reason: 'Address must be a hex value of 20 bytes (40 hex characters)' })
  }
  const digits = text.slice(2)
  const mixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  if (mixed && !isAddress(text, { strict: true })) {
    throw refusal('invalid_account', { reason: 'Address must match its checksum counterpart' })
  }
  return text.toLowerCase() as `0x${string}`
}

/** Shortens a user's address for other users: `0x1234…abcd`, with its checksum's case. */
export function shortAddress(userId: string): string {
  const address = getAddress(userId)
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}
