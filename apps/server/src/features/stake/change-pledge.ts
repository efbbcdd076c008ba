import type { ResponseOf } from '@clearwell/api/routes'
import { type Command, type Context, type Plan, type State, type StateKey, write } from '@clearwell/ledger/command'
import { transfer } from '@clearwell/ledger/transfer'
import { type Amount, formatAmount } from '@clearwell/money/amount'
import { minUnits } from '@clearwell/money/min-max'
import { type LoanPool, pledge, type ShareTerms, unpledge, valueOfShares } from '@clearwell/rules/loan-pool'
import { pledgeChanges, pledges } from '../../domain/lending/lending.tables.ts'
import { lendingCash } from '../../domain/lending/lending-accounts.ts'
import { poolKeys, poolRulesOf, readPool, writePool } from '../../domain/lending/lending-books.ts'
import type { LendingRules } from '../../domain/lending/lending-parameters.ts'
import type { PricedPair } from '../../domain/lending/pair-prices.ts'
import { shownIncome } from '../../domain/lending/pledge-values.ts'
import { indexKeys, readKnownLoss } from '../../domain/lending/ratio-books.ts'
import { members, requireActivated } from '../../domain/members/members.ts'
import { userAccount } from '../../platform/ledger/accounts.ts'
import { refuseWhenStopped, SOLVENCY_BREAKER } from '../../platform/ledger/breaker.ts'
import { refusal } from '../../platform/ledger/refuse.ts'

export interface PledgeInput {
  readonly userId: string
  readonly amount: Amount
  /** All pairs of the pool, for the known loss. */
  readonly pairs: readonly PricedPair[]
  readonly key: string | undefined
}

export type PledgeResponse = ResponseOf<'pledge'>

/**
 * Pledges an amount: `available` → the pool's cash, in return for shares. They are bought at the value that no known loss lowers, so
 * no new pledge buys into a recovery.
 *
 * @throws Refusal `not_activated`, `trading_suspended` (also while the pledges are worth nothing), `amount_out_of_range` under the
 * least pledge, `balance_not_enough`, `price_out_of_date` if a pair with orders never had a price.
 */
export function pledgeToPool(rules: LendingRules, input: PledgeInput): Command<PledgeResponse> {
  const { userId, amount, key } = input
  const { asset, units } = amount
  const available = userAccount(userId, 'available')
  return {
    kind: 'pledge',
    owner: userId,
    key,
    payload: { asset, amount: formatAmount(amount) },
    preload: [...keysOf(input), { table: members, id: userId }, SOLVENCY_BREAKER],
    decide(state, context) {
      requireActivated(state, userId)
      refuseWhenStopped(state)
      const { minPledge } = poolRulesOf(rules, asset)
      if (units < minPledge) throw refusal('amount_out_of_range', { min: formatAmount({ asset, units: minPledge }) })
      if (state.balance(available, asset) < units) throw refusal('balance_not_enough')
      const pool = readPool(state, asset, context.now)
      const terms = shareTerms(state, rules, { input, pool, now: context.now }, asset)
      const change = pledge(pool, units, terms)
      // A known loss takes the whole value, or it is so small that the amount buys no share.
      if (change === 'no_value' || change === 'no_share') throw refusal('trading_suspended', { reason: 'pool_lost' })
      return planChange({ rules, input, state, context }, { ...change, terms, units })
    },
  }
}

/**
 * Withdraws from a pledge: the pool's cash → `available`. Needs no activation, and works while trading is suspended: users
 * can always take their own money out, as far as it is not lent. Shares are paid back at the value less the known loss, so a loss
 * that is known meets each pledge that leaves.
 *
 * @param input.amount `'all'` withdraws the whole pledge, to the unit.
 * @throws Refusal `balance_not_enough`, `price_out_of_date` if a pair with orders never had a price, or `exceeds_lending_pool` with the largest amount that can be withdrawn now.
 */
export function withdrawFromPool(
  rules: LendingRules,
  input: Omit<PledgeInput, 'amount'> & { readonly asset: Amount['asset']; readonly amount: bigint | 'all' },
): Command<PledgeResponse> {
  const { userId, asset, amount, key } = input
  return {
    kind: 'unpledge',
    owner: userId,
    key,
    payload: { asset, amount: amount === 'all' ? amount : formatAmount({ asset, units: amount }) },
    preload: keysOf({ ...input, amount: { asset } }),
    decide(state, context) {
      const pool = readPool(state, asset, context.now)
      const owned = state.row(pledges, pledgeId(userId, asset))?.shares ?? 0n
      const terms = shareTerms(state, rules, { input, pool, now: context.now }, asset)
      const change = unpledge(pool, { owned, amount }, terms)
      if (change === 'balance') throw refusal('balance_not_enough')
      if (change === 'cash') {
        const most = minUnits(pool.cash, valueOfShares(pool, owned, terms))
        throw refusal('exceeds_lending_pool', { max: formatAmount({ asset, units: most }) })
      }
      const units = -change.amount
      const found = { rules, input: { userId, amount: { asset, units } }, state, context }
      return planChange(found, { ...change, shares: -change.shares, terms, units })
    },
  }
}

/** The value of shares depends on these besides the pool: the reserve's part, and the known loss of the pool's orders now. */
export function shareTerms(
  state: State,
  rules: LendingRules,
  { input, pool, now }: { readonly input: Pick<PledgeInput, 'pairs'>; readonly pool: LoanPool; readonly now: Date },
  asset: string,
): ShareTerms {
  const { reserveBps } = poolRulesOf(rules, asset)
  return { reserveBps, knownLoss: readKnownLoss(state, { pool, rules, pairs: input.pairs, now }) }
}

interface FoundPledge {
  readonly input: Pick<PledgeInput, 'userId'> & { readonly amount: Pick<Amount, 'asset'> }
  readonly state: State
  readonly context: Context
}

/** `shares` and `units` are above zero for a pledge, below zero for a withdrawal. `pool` is the one after it. */
interface PledgeMove {
  readonly pool: LoanPool
  readonly terms: ShareTerms
  readonly shares: bigint
  readonly units: bigint
}

function planChange(found: FoundPledge & { readonly rules: LendingRules }, change: PledgeMove): Plan<PledgeResponse> {
  const { asset } = found.input.amount
  const { entries, rows, after, value } = movePledge(found, change)
  return {
    entries,
    rows: [...rows, writePool(poolRulesOf(found.rules, asset), change.pool)],
    response: {
      position: {
        asset,
        total_pledged: formatAmount({ asset, units: value }),
        actual_income: formatAmount({ asset, units: shownIncome(value + after.withdrawn - after.pledged) }),
      },
    },
  }
}

/** Plans a pledge or a withdrawal, without the pool. */
export function movePledge({ input, state, context }: FoundPledge, { pool, terms, shares, units }: PledgeMove) {
  const { userId } = input
  const { asset } = input.amount
  const id = pledgeId(userId, asset)
  const before = state.row(pledges, id) ?? { id, user_id: userId, asset, shares: 0n, pledged: 0n, withdrawn: 0n }
  const after = {
    ...before,
    shares: before.shares + shares,
    pledged: before.pledged + (units > 0n ? units : 0n),
    withdrawn: before.withdrawn + (units < 0n ? -units : 0n),
    changed_at: context.now,
  }
  const postings = transfer({ from: userAccount(userId, 'available'), to: lendingCash(asset), asset, units })
  const value = valueOfShares(pool, after.shares, terms)
  const changed = { id: context.id('pledge'), user_id: userId, asset, shares: after.shares, value, at: context.now }
  return {
    entries: [{ kind: units > 0n ? 'pledge' : 'unpledge', reference: id, postings }],
    rows: [write(pledges, after), write(pledgeChanges, changed)],
    after,
    value,
  }
}

export function pledgeId(userId: string, asset: string): string {
  return `${asset}:${userId}`
}

function keysOf({
  userId,
  amount: { asset },
  pairs,
}: Pick<PledgeInput, 'userId' | 'pairs'> & { readonly amount: Pick<Amount, 'asset'> }): StateKey[] {
  return [
    ...poolKeys(asset),
    ...pairs.flatMap(({ collateral, borrowed }) => indexKeys(collateral, borrowed)),
    { table: pledges, id: pledgeId(userId, asset) },
    { account: userAccount(userId, 'available'), asset },
  ]
}
