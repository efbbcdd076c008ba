import { getAddress, type Hex, isAddress } from 'viem'
import type { Bookkeeper } from './bookkeeper.ts'
import type { OwnPaths } from './own-paths.ts'
import { type NonceSettings, WalletNonces } from './wallet-nonces.ts'
import type { CheckSignature } from './wallet-signatures.ts'

/** A response in the server's envelope. */
export interface Reply {
  readonly status: number
  readonly code: number
  readonly msg: string
  readonly data: unknown
}

const HOUR_MS = 3_600_000
/** Accounts whose last path is remembered. */
const MAX_ACCOUNTS = 50_000
const MAX_SIGNATURE = 16_384
const NUMBER = /^\d{1,18}$/

const reply = (status: number, code: number, msg: string, data: unknown = null): Reply => ({ status, code, msg, data })
const invalid = (fields: Record<string, string>) => reply(400, 20_000, 'Invalid input', { fields })
export const NOT_FOUND = reply(404, 20_009, 'not found')
const SIGNATURE_FAILED = reply(200, 20_012, 'signature failed')

/** The two calls by which users get their paths. They read only, and reach nothing else. */
export interface PathCalls {
  /** `{address}`: returns a message for the wallet to sign, and until when it can be used. */
  nonce(payload: Readonly<Record<string, unknown>>): Reply
  /** `{message, signature, number?}`: returns the account's paths. */
  mine(payload: Readonly<Record<string, unknown>>): Promise<Reply>
}

/** @param settings.check checks a signature, if need be by the own node. */
export function pathCalls(
  { paths, knows }: Pick<Bookkeeper, 'paths' | 'knows'>,
  settings: NonceSettings & { readonly check: CheckSignature },
): PathCalls {
  const nonces = new WalletNonces(settings)
  const limited = limitPaths(paths, settings.nowMs)
  return {
    nonce({ address }) {
      if (typeof address !== 'string' || !isAddress(address)) return reply(200, 20_013, 'Invalid account')
      const { message, expiresAt } = nonces.issue(getAddress(address))
      return reply(200, 1, 'ok', { message, expires_at: expiresAt.toISOString() })
    },
    async mine({ message, signature, number }) {
      if (typeof message !== 'string') return invalid({ message: 'required' })
      if (typeof signature !== 'string' || signature.length > MAX_SIGNATURE || !/^0x[0-9a-fA-F]*$/.test(signature))
        return invalid({ signature: 'required' })
      if (number !== undefined && !NUMBER.test(`${number}`)) return invalid({ number: 'malformed' })
      const open = nonces.open(message)
      // The node is asked for an account of the ledger only.
      if (!open || !knows(open.address.toLowerCase())) return SIGNATURE_FAILED
      const isSigned = await settings.check({ ...open, signature: signature as Hex }).catch(() => undefined)
      if (isSigned === undefined) return reply(503, 50_300, 'not ready', { part: 'chain' })
      if (!isSigned || !nonces.close(open)) return SIGNATURE_FAILED
      const found = limited(open.address.toLowerCase(), number === undefined ? undefined : `${number}`)
      return found ? reply(200, 1, 'ok', found) : NOT_FOUND
    },
  }
}

/** Returns the last path again, unless the last new one is an hour old: a path shows a neighbour's sum. */
function limitPaths(paths: Bookkeeper['paths'], nowMs: () => number) {
  const last = new Map<string, { readonly number: string; readonly sinceMs: number }>()
  return (account: string, number: string | undefined): OwnPaths | undefined => {
    const before = last.get(account)
    const isEarly = before !== undefined && nowMs() - before.sinceMs < HOUR_MS
    // A header whose trees are forgotten is no reason to refuse another one.
    const again = isEarly ? paths(account, before.number) : undefined
    if (again) return again
    const found = paths(account, number)
    if (!found) return undefined
    last.delete(account)
    last.set(account, { number: found.number, sinceMs: nowMs() })
    const [oldest] = last.keys()
    if (last.size > MAX_ACCOUNTS && oldest !== undefined) last.delete(oldest)
    return found
  }
}
