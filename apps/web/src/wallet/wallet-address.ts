import { type Address, getAddress, isAddress } from 'viem'
import { m } from '../generated/paraglide/messages.js'

/** An account as a wallet names it, with its checksum. @throws Error with a sentence for people if it is malformed. */
export function checkedAddress(account: unknown): Address {
  if (typeof account !== 'string' || !isAddress(account, { strict: false }))
    throw new Error(m.connector_address_not_hex())
  if (!isAddress(account)) throw new Error(m.connector_address_checksum())
  return getAddress(account)
}
