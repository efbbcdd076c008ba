import type { EntryFields } from './ledger-lines.ts'

/** The postings that an entry of a kind must have and may have, as `-role` and `+role`, and its most users. */
interface Pattern {
  readonly must: string
  readonly may?: string
  /** One where absent: no kind moves money between users, except a liquidation. */
  readonly users?: number
}

const REVENUE = '+rewards +referral +insurance +treasury'

/** Each kind of entry. A kind that is not listed is a fault: this program has to learn it before it signs. */
export const PATTERNS: Readonly<Record<string, Pattern>> = {
  rt_genesis: { must: '-vault', may: '+rt_program +treasury', users: 0 },
  deposit: { must: '-vault', may: '+available +insurance +treasury' },
  operator_deposit: { must: '-vault', may: '+insurance +treasury', users: 0 },
  deposit_reversal: { must: '+vault', may: '-available -treasury' },
  reversal_shortfall: { must: '+vault', may: '-insurance -treasury', users: 0 },
  activation: { must: '-available +insurance' },
  withdrawal_lock: { must: '+locked', may: '-available -treasury' },
  withdrawal: { must: '-locked +vault' },
  exit: { must: '-available +vault' },
  exit_reversal: { must: '-vault +available' },
  exit_advance: { must: '+available', may: '-insurance -treasury' },
  exit_advance_return: { must: '-available', may: '+insurance +treasury' },
  withdrawal_release: { must: '-locked', may: '+available +treasury' },
  withdrawal_reversal: { must: '-vault +locked' },
  payout_settlement: { must: '+vault', may: '-available -treasury' },
  payout_shortfall: { must: '+vault', may: '-insurance -treasury', users: 0 },
  swap: { must: '-available +pool -pool +available', may: REVENUE },
  referral_share: { must: '-referral +available' },
  pool_liquidity: { must: '', may: '-treasury +treasury -pool +pool', users: 0 },
  operator_transfer: { must: '-treasury +insurance', users: 0 },
  pledge: { must: '-available +cash' },
  unpledge: { must: '-cash +available' },
  loan: { must: '-available +collateral -cash +available' },
  loan_repayment: { must: '-available', may: '+cash +reserve +insurance' },
  collateral_added: { must: '-available +collateral' },
  collateral_returned: { must: '-collateral +available' },
  liquidation: { must: '-collateral', may: '-available +available +cash +reserve -insurance +insurance', users: 2 },
  reserve_shared: { must: '-reserve', may: REVENUE, users: 0 },
  box_division: { must: '-rewards +box_rewards', users: 0 },
  box_forfeit: { must: '-treasury +rewards', users: 0 },
  box_reward: { must: '-box_rewards +available' },
  box_expiry: { must: '-box_rewards +rewards', users: 0 },
  rt_release: { must: '-rt_program +rt_earnings', users: 0 },
  rt_collection: { must: '-rt_earnings +available' },
  rt_deposit: { must: '-available +rt_deposit' },
  rt_take_back: { must: '-rt_deposit +available' },
  rt_deposit_return: { must: '-rt_deposit +available' },
}

const SINGLE = /^(vault|treasury|insurance|rewards|referral|box_rewards|rt_program|rt_earnings)$/
const USER = /^user:(0x[0-9a-f]{40}):(available|locked|collateral|rt_deposit)$/
const POOL = /^pool:[A-Za-z0-9-]{1,40}$/
const LENDING = /^lending:([A-Z]{2,10}):(cash|reserve)$/

/** Kinds in which only the operator's own account may exchange money with the treasury. */
const OF_TREASURY = ['withdrawal_lock', 'withdrawal_release']

/** Returns the owner and the place of a user's account; `undefined` for any other account. */
export function userOf(account: string): { readonly owner: string; readonly place: string } | undefined {
  const [, owner, place] = USER.exec(account) ?? []
  return owner === undefined || place === undefined ? undefined : { owner, place }
}

/**
 * Finds a posting that an entry of its kind does not have.
 *
 * @param operator the operator's payout address, in lower case.
 * @returns the fault, or `undefined` for an entry with the pattern of its kind.
 */
export function faultOfPattern([seq, kind, , , postings]: EntryFields, operator: string): string | undefined {
  const name = `entry ${seq} (${kind})`
  const pattern = Object.hasOwn(PATTERNS, kind) ? PATTERNS[kind] : undefined
  if (!pattern) return `${name} has an unknown kind`
  const { must, may = '', users = 1 } = pattern
  const owners = new Set<string>()
  const found = new Set<string>()
  for (const [account, asset, units] of postings) {
    const role = roleOf(account, asset)
    if (role === undefined) return `${name} has an unknown account ${account}`
    if (units === '0') return `${name} moves nothing on ${account}`
    found.add(`${units.startsWith('-') ? '-' : '+'}${role}`)
    const owner = userOf(account)?.owner
    if (owner !== undefined) owners.add(owner)
  }
  if (owners.size > users) return `${name} moves money between users`
  const required = wordsOf(must)
  const allowed = [...required, ...wordsOf(may)]
  const missing = required.find((each) => !found.has(each))
  if (missing !== undefined) return `${name} has no posting ${missing}`
  const foreign = [...found].find((each) => !allowed.includes(each))
  if (foreign !== undefined) return `${name} has a posting ${foreign}`
  const usesTreasury = found.has('-treasury') || found.has('+treasury')
  if (OF_TREASURY.includes(kind) && usesTreasury !== owners.has(operator))
    return `${name} is not between the treasury and the operator`
  return undefined
}

function roleOf(account: string, asset: string): string | undefined {
  if (SINGLE.test(account)) return account
  if (POOL.test(account)) return 'pool'
  const [, ofAsset, part] = LENDING.exec(account) ?? []
  if (part !== undefined) return ofAsset === asset ? part : undefined
  return userOf(account)?.place
}

function wordsOf(text: string): string[] {
  return text === '' ? [] : text.split(' ')
}
