import { type Command, type State, type StateKey, write } from '@clearwell/ledger/command'
import { Draft } from '@clearwell/ledger/draft'
import type { Writer } from '@clearwell/ledger/writer'
import { minUnits } from '@clearwell/money/min-max'
import { type LoanPool, type ShareTerms, unpledge, valueOfShares } from '@clearwell/rules/loan-pool'
import { DAY_MS } from '@clearwell/rules/spans'
import type { createLeavingStore, LeavingPledges } from '../../domain/lending/lending.store.ts'
import { pledgeReturns, pledges } from '../../domain/lending/lending.tables.ts'
import { poolKeys, poolRulesOf, readPool, returnsKey, writePool } from '../../domain/lending/lending-books.ts'
import type { LendingParameters, LendingRules } from '../../domain/lending/lending-parameters.ts'
import { usableAt } from '../../domain/lending/loan-prices.ts'
import { createPairPrices, type PricedPair } from '../../domain/lending/pair-prices.ts'
import { indexKeys } from '../../domain/lending/ratio-books.ts'
import { type Drain, defineDrain } from '../../platform/jobs/drain.ts'
import { userAccount } from '../../platform/ledger/accounts.ts'
import { exits, leavingKey } from '../../platform/ledger/leaving-accounts.ts'
import type { MoneyPrices } from '../../platform/prices/money-prices.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { movePledge, pledgeId, shareTerms } from './change-pledge.ts'

const EVERY_MS = 5_000
/** An exit is paid after so long. What is free by then can leave with another request. */
const RETURNED_MS = 7 * DAY_MS
/** Accounts of a pool in one command. */
const MOST_ACCOUNTS = 50

export interface ReturnInput extends LeavingPledges {
  /** All pairs of the pool, for the known loss. */
  readonly pairs: readonly PricedPair[]
}

/**
 * Turns the pledges of accounts that leave the vault into free balance, as far as the pool has cash, and reserves the rest of the
 * cash to come. Each is paid back as by its owner's withdrawal, with its part of a known loss. Oldest request first. While a price
 * is missing nothing happens: a pledge would be paid back at a guess.
 *
 * Returns how many accounts got something.
 */
export function returnPledges(rules: LendingRules, input: ReturnInput): Command<number> {
  const { asset, accounts, others, pairs } = input
  const poolRules = poolRulesOf(rules, asset)
  return {
    kind: 'return_pledges',
    owner: 'stake',
    payload: {},
    preload: keysOf(input),
    decide(state, context) {
      if (pairs.some(({ prices }) => !usableAt(prices, context.now))) return { response: 0 }
      const draft = new Draft(state)
      let pool = readPool(state, asset, context.now)
      const terms = shareTerms(state, rules, { input, pool, now: context.now }, asset)
      let [waiting, returned] = [others, 0]
      for (const userId of accounts) {
        const owned = leavingShares(draft, asset, userId)
        const change = mostOf(pool, { owned, least: poolRules.minPledge }, terms)
        waiting += owned
        if (!change) continue
        const move = { pool: change.pool, terms, shares: -change.shares, units: -change.amount }
        draft.add(movePledge({ input: { userId, amount: { asset } }, state: draft, context }, move))
        pool = change.pool
        waiting -= change.shares
        returned++
      }
      if (returned > 0) draft.add({ rows: [writePool(poolRules, pool)] })
      noteWaiting(draft, { id: asset, waiting: valueOfShares(pool, waiting, terms), changed_at: context.now })
      return draft.plan(returned)
    },
  }
}

function keysOf({ asset, accounts, pairs }: ReturnInput): StateKey[] {
  return [
    ...poolKeys(asset),
    returnsKey(asset),
    ...pairs.flatMap(({ collateral, borrowed }) => indexKeys(collateral, borrowed)),
    ...accounts.flatMap((userId) => [
      leavingKey(userId),
      { table: pledges, id: pledgeId(userId, asset) },
      { account: userAccount(userId, 'available'), asset },
    ]),
  ]
}

/** An exit may have been cancelled since the search. */
function leavingShares(state: State, asset: string, userId: string): bigint {
  if (state.row(exits, userId)?.state !== 'open') return 0n
  return state.row(pledges, pledgeId(userId, asset))?.shares ?? 0n
}

/**
 * Withdraws all that the shares are worth, or the pool's cash. A part is at least the least pledge: each is an entry.
 *
 * @returns false if that is too little, or nothing.
 */
function mostOf(
  pool: LoanPool,
  { owned, least }: { readonly owned: bigint; readonly least: bigint },
  terms: ShareTerms,
) {
  const worth = valueOfShares(pool, owned, terms)
  const amount = minUnits(worth, pool.cash)
  if (amount < worth && amount < least) return false
  const change = unpledge(pool, { owned, amount }, terms)
  return typeof change === 'string' ? false : change
}

function noteWaiting(draft: Draft, row: { readonly id: string; readonly waiting: bigint; readonly changed_at: Date }) {
  const before = draft.row(pledgeReturns, row.id)?.waiting ?? 0n
  if (row.waiting !== before) draft.add({ rows: [write(pledgeReturns, row)] })
}

/** Looks for pledges of accounts that leave, and pays them back before the pool's cash is lent again. */
export function returnPledgesOfLeavers({
  store,
  writer,
  clock,
  moneyPrices,
  parameters,
}: {
  readonly store: ReturnType<typeof createLeavingStore>
  readonly writer: Pick<Writer, 'execute'>
  readonly clock: Clock
  readonly moneyPrices: MoneyPrices
  readonly parameters: Pick<LendingParameters, 'rules'>
}): Drain {
  return defineDrain({
    name: 'stake.return-pledges',
    everyMs: EVERY_MS,
    async drain() {
      const found = await store.leaving(new Date(clock.now().getTime() - RETURNED_MS), MOST_ACCOUNTS)
      if (found.length === 0) return
      const rules = await parameters.rules()
      for (const each of found) {
        const pairs = await createPairPrices({ moneyPrices, rules }).ofPool(each.asset)
        await writer.execute(returnPledges(rules, { ...each, pairs }))
      }
    },
  })
}
