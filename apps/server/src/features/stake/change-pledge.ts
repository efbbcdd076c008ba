import type { ResponseOf } from '@clearwell/api/routes'
import { type Command, type Context, type Plan, type State, write } from '@clearwell/ledger/command'
import { type Amount, formatAmount } from '@clearwell/money/amount'
import { minUnits } from '@clearwell/money/min-max'
import { type LendingPool, pledge, unpledge, valueOfShares } from '@clearwell/rules/lending-pool'
import { lendingCash, userAccount } from '../../platform/ledger/accounts.ts'
import { refuseWhenStopped, SOLVENCY_BREAKER } from '../../platform/ledger/breaker.ts'
import { members } from '../../platform/ledger/members.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { pledgeChanges, pledges } from '../../platform/lending/lending.tables.ts'
import { poolKeys, readPool, writePool } from '../../platform/lending/lending-books.ts'

export interface PledgeRules {
  /** The reserve's part of the interest, in basis points. */
  readonly reserveBps: bigint
  /** The least amount of one pledge, in base units. */
  readonly minPledge: bigint
}

export interface PledgeInput {
  readonly userId: string
  readonly amount: Amount
  readonly key: string | undefined
}

export type PledgeResponse = ResponseOf<'pledge'>

/**
 * Pledges an amount: `available` → the pool's cash, in return for shares.
 *
 * @throws Refusal `not_activated`, `trading_suspended`, `amount_out_of_range` under the least pledge, `balance_not_enough`.
 */
export function pledgeToPool(rules: PledgeRules, input: PledgeInput): Command<PledgeResponse> {
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
      if (!state.row(members, userId)?.activated_at) throw refusal('not_activated')
      refuseWhenStopped(state)
      if (units < rules.minPledge)
        throw refusal('amount_out_of_range', { min: formatAmount({ asset, units: rules.minPledge }) })
      if (state.balance(available, asset) < units) throw refusal('balance_not_enough')
      const { pool, rememberedE18 } = readPool(state, asset, context.now)
      const change = pledge(pool, units, rules.reserveBps)
      // After a loss so large that the pledges are worth almost nothing, a new pledge would buy no share.
      if (!change) throw refusal('trading_suspended', { reason: 'pool_lost' })
      return planChange({ rules, input, state, context }, { ...change, rememberedE18, units })
    },
  }
}

/**
 * Withdraws from a pledge: the pool's cash → `available`. Needs no activation, and works while trading is suspended: users
 * can always take their own money out, as far as it is not lent.
 *
 * @param input.amount `'all'` withdraws the whole pledge, to the unit.
 * @throws Refusal `balance_not_enough`, or `exceeds_lending_pool` with the largest amount that can be withdrawn now.
 */
export function withdrawFromPool(
  rules: PledgeRules,
  input: Omit<PledgeInput, 'amount'> & { readonly asset: Amount['asset']; readonly amount: bigint | 'all' },
): Command<PledgeResponse> {
  const { userId, asset, amount, key } = input
  return {
    kind: 'unpledge',
    owner: userId,
    key,
    payload: { asset, amount: amount === 'all' ? amount : formatAmount({ asset, units: amount }) },
    preload: keysOf({ userId, amount: { asset } }),
    decide(state, context) {
      const { pool, rememberedE18 } = readPool(state, asset, context.now)
      const owned = state.row(pledges, pledgeId(userId, asset))?.shares ?? 0n
      const change = unpledge(pool, { owned, amount, reserveBps: rules.reserveBps })
      if (change === 'balance') throw refusal('balance_not_enough')
      if (change === 'cash') {
        const most = minUnits(pool.cash, valueOfShares(pool, owned, rules.reserveBps))
        throw refusal('exceeds_lending_pool', { max: formatAmount({ asset, units: most }) })
      }
      const units = -change.amount
      const found = { rules, input: { userId, amount: { asset, units } }, state, context }
      return planChange(found, { ...change, shares: -change.shares, rememberedE18, units })
    },
  }
}

/** @param change.shares and @param change.units above zero for a pledge, below zero for a withdrawal. */
function planChange(
  found: {
    readonly rules: PledgeRules
    readonly input: Pick<PledgeInput, 'userId' | 'amount'>
    readonly state: State
    readonly context: Context
  },
  change: {
    readonly pool: LendingPool
    readonly rememberedE18: bigint
    readonly shares: bigint
    readonly units: bigint
  },
): Plan<PledgeResponse> {
  const { rules, input, state, context } = found
  const { userId } = input
  const { asset } = input.amount
  const { pool, rememberedE18, shares, units } = change
  const id = pledgeId(userId, asset)
  const before = state.row(pledges, id) ?? { id, user_id: userId, asset, shares: 0n, pledged: 0n, withdrawn: 0n }
  const after = {
    ...before,
    shares: before.shares + shares,
    pledged: before.pledged + (units > 0n ? units : 0n),
    withdrawn: before.withdrawn + (units < 0n ? -units : 0n),
    changed_at: context.now,
  }
  const postings = [
    { account: userAccount(userId, 'available'), asset, units: -units },
    { account: lendingCash(asset), asset, units },
  ]
  const value = valueOfShares(pool, after.shares, rules.reserveBps)
  return {
    entries: [{ kind: units > 0n ? 'pledge' : 'unpledge', reference: id, postings }],
    rows: [
      write(pledges, after),
      write(pledgeChanges, {
        id: context.id('pledge'),
        user_id: userId,
        asset,
        shares: after.shares,
        value,
        at: context.now,
      }),
      writePool(asset, { pool, rememberedE18 }, context.now),
    ],
    response: {
      position: {
        asset,
        total_pledged: formatAmount({ asset, units: value }),
        actual_income: formatAmount({ asset, units: value + after.withdrawn - after.pledged }),
      },
    },
  }
}

function pledgeId(userId: string, asset: string): string {
  return `${asset}:${userId}`
}

function keysOf({ userId, amount }: { readonly userId: string; readonly amount: Pick<Amount, 'asset'> }) {
  const { asset } = amount
  return [
    ...poolKeys(asset),
    { table: pledges, id: pledgeId(userId, asset) },
    { account: userAccount(userId, 'available'), asset },
  ]
}
