/**
 * The accounts of the custody ledger that several features book on; a domain names its own. Every unit in custody is in exactly one of them; `vault` is the outside world, with
 * a balance of minus the sum of all others.
 */
export const VAULT = 'vault'
export const TREASURY = 'treasury'
export const REWARDS = 'rewards'
export const REFERRAL = 'referral'
export const INSURANCE = 'insurance'
export const RT_PROGRAM = 'rt_program'
/** Released RT that its owners have not collected. */
export const RT_EARNINGS = 'rt_earnings'

/** The places of a user's money, one account each. */
export const USER_PLACES = ['available', 'locked', 'collateral', 'rt_deposit'] as const
export type UserPlace = (typeof USER_PLACES)[number]

export function userAccount(userId: string, place: UserPlace): string {
  return `user:${userId}:${place}`
}

export function userAccounts(userId: string): string[] {
  return USER_PLACES.map((place) => userAccount(userId, place))
}

/** Returns the place that a user's account represents. Any other account is a bug. */
export function placeOf(account: string): UserPlace {
  const place = USER_PLACES.find((each) => account.endsWith(`:${each}`))
  if (!account.startsWith('user:') || !place) throw new TypeError(`${account} is no account of a user`)
  return place
}

/** A pool's reserves: the balances of this account in the pool's two assets. */
export function poolAccount(poolId: string): string {
  return `pool:${poolId}`
}
