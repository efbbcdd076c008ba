import { isAddress } from 'viem'

/** Reads the address of an account, in lower case. Returns `undefined` for anything else, also for a wrong checksum. */
export function readAddress(text: string): string | undefined {
  return isAddress(text) ? text.toLowerCase() : undefined
}
