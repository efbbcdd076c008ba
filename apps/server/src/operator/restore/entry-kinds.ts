/** Kinds of entries that change balances alone, or whose objects a restore makes again: orders, records of payments, activations. */
const WHOLE = [
  'deposit',
  'operator_deposit',
  'withdrawal_lock',
  'withdrawal',
  'withdrawal_release',
  'exit',
  'swap',
  'referral_share',
  'pool_liquidity',
  'operator_transfer',
  'reserve_shared',
  'activation',
]

/** Kinds that change the collateral of an open loan and nothing else of it. The loan is in the backup. */
const OF_COLLATERAL = ['collateral_added', 'collateral_returned']

/** Kinds that belong to an object of one account, such as an order or a box. The store does not have the object. */
const OF_OBJECTS = [...['box_reward', 'rt_collection'], ...['rt_deposit', 'rt_take_back', 'rt_deposit_return']]

/** Kinds that end a box: its row follows from the entry, if the backup has the box. Each is one outcome. */
const OUTCOMES: Readonly<Record<string, 'claimed' | 'expired'>> = { box_reward: 'claimed', box_expiry: 'expired' }

/** Returns the outcome of a box in an entry that ends it. */
export function outcomeOf(kind: string): 'claimed' | 'expired' | undefined {
  return OUTCOMES[kind]
}

/** A restore imports an entry, imports it and freezes its accounts, or is not possible because of it. */
export type Treatment = 'import' | 'freeze' | 'refuse'

export function isOfCollateral(kind: string): boolean {
  return OF_COLLATERAL.includes(kind)
}

/**
 * Returns the treatment of a kind. The other entries of lending, those of days and those of corrections belong to objects that several
 * accounts share: without them, the next command would pay one account with money of another.
 */
export function treatmentOf(kind: string): Treatment {
  if (WHOLE.includes(kind) || isOfCollateral(kind)) return 'import'
  return OF_OBJECTS.includes(kind) ? 'freeze' : 'refuse'
}

/** Returns the users in an entry, in lower case. */
export function ownersIn(postings: readonly { readonly account: string }[]): string[] {
  const owners = postings.map(({ account }) => /^user:(0x[0-9a-f]{40}):/.exec(account)?.[1])
  return [...new Set(owners.filter((owner) => owner !== undefined))]
}
