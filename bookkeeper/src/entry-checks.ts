import { createHash } from 'node:crypto'
import type { EntryFields } from './ledger-lines.ts'

/** Base units of an account in an asset, before the entry. */
export type BalanceOf = (account: string, asset: string) => bigint

const UNITS = /^(0|-?[1-9]\d{0,77})$/

/** Computes `sha256(hash of the entry before || JSON of the entry)`. @param before hex with 0x */
export function hashEntry(before: string, entry: EntryFields): string {
  const hashed = createHash('sha256')
    .update(Buffer.from(before.slice(2), 'hex'))
    .update(JSON.stringify(entry))
  return `0x${hashed.digest('hex')}`
}

/** Finds an entry that does not follow the one before, or whose hash is another. */
export function faultOfOrder(
  before: { readonly seq: bigint; readonly hash: string },
  entry: EntryFields,
  hash: string,
): string | undefined {
  if (entry[0] !== `${before.seq + 1n}`) return `entry ${before.seq + 1n} is missing`
  return hashEntry(before.hash, entry) === hash ? undefined : `the hash chain breaks at entry ${entry[0]}`
}

/** Finds an amount that is no number, or an asset in which the postings do not sum to zero. */
export function faultOfSums([seq, kind, , , postings]: EntryFields): string | undefined {
  if (postings.length === 0) return `entry ${seq} (${kind}) has no posting`
  const sums = new Map<string, bigint>()
  for (const [, asset, units] of postings) {
    if (!UNITS.test(units)) return `entry ${seq} (${kind}) has an amount that is no number`
    sums.set(asset, (sums.get(asset) ?? 0n) + BigInt(units))
  }
  for (const [asset, sum] of sums) if (sum !== 0n) return `entry ${seq} (${kind}) does not sum to zero in ${asset}`
  return undefined
}

/** Finds an account that a posting takes below zero, and RT that is created a second time. */
export function faultOfBalances([seq, kind, , , postings]: EntryFields, balanceOf: BalanceOf): string | undefined {
  const after = new Map<string, bigint>()
  for (const [account, asset, units] of postings) {
    const key = `${account} ${asset}`
    const balance = (after.get(key) ?? balanceOf(account, asset)) + BigInt(units)
    if (balance < 0n && account !== 'vault') return `entry ${seq} (${kind}) takes ${key} below zero`
    after.set(key, balance)
  }
  // RT is in no vault, so nothing but its one creation comes in or goes out.
  const touchesRt = postings.some(([account, asset]) => account === 'vault' && asset === 'RT')
  if (touchesRt && (kind !== 'rt_genesis' || balanceOf('vault', 'RT') !== 0n))
    return `entry ${seq} (${kind}) creates or removes RT`
  if (kind === 'rt_genesis' && postings.some(([, asset]) => asset !== 'RT'))
    return `entry ${seq} (${kind}) creates another asset than RT`
  return undefined
}

/**
 * Finds a swap after which the product of its pool's reserves is smaller. The revenue part of the fee leaves before, so the
 * rest of the fee must make up for what rounding and the purchase take.
 */
export function faultOfSwap([seq, kind, , , postings]: EntryFields, balanceOf: BalanceOf): string | undefined {
  if (kind !== 'swap') return undefined
  const ofPool = postings.filter(([account]) => account.startsWith('pool:'))
  const [sold, bought] = ofPool
  if (ofPool.length !== 2 || !sold || !bought || sold[0] !== bought[0] || sold[1] === bought[1])
    return `entry ${seq} (swap) does not move the two assets of one pool`
  const [x, y] = [balanceOf(sold[0], sold[1]), balanceOf(bought[0], bought[1])]
  const after = (x + BigInt(sold[2])) * (y + BigInt(bought[2]))
  return after < x * y ? `entry ${seq} (swap) makes the product of the pool's reserves smaller` : undefined
}
