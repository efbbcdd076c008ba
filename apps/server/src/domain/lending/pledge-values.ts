import type { Queryable } from '@clearwell/ledger/database'
import type { BalanceRow, PastBalanceRow } from '@clearwell/ledger/read-balances'
import type { AssetId } from '@clearwell/money/asset'
import { mulDiv } from '@clearwell/money/mul-div'
import { BPS } from '@clearwell/money/scale'
import { utilisation } from '@clearwell/rules/interest'
import { type LoanPool, type ShareTerms, valueIn, valueOfShares } from '@clearwell/rules/loan-pool'
import { currentRate } from '@clearwell/rules/pool-rate'
import type { LendingRules } from './lending-parameters.ts'
import type { PricedPair } from './pair-prices.ts'
import { readKnownLossNow } from './read-known-loss.ts'
import { readPools } from './read-pools.ts'
import type { PoolRules } from './stake-config.ts'

/** The shares whose value the history keeps. */
const VALUED_SHARES = 10n ** 24n
/** An income below zero by less is the rounding of a few changes, in base units. */
const ROUNDING = 1_000n

/** The rules and the prices that pledges are valued by. */
export interface PledgeMoment {
  readonly rules: LendingRules
  /** All pairs of the market. */
  readonly pairs: readonly PricedPair[]
  readonly now: Date
}

/** An income as it is shown: never below zero because of rounding. */
export function shownIncome(units: bigint): bigint {
  return units < 0n && units >= -ROUNDING ? 0n : units
}

/**
 * Computes what pledgers earn per year at the rate of this moment, at 10^18: from the part of the rate up to the kink, less the reserve's
 * part. Rounded down: never shown too high.
 */
export function pledgeRate(pool: LoanPool, reserveBps: bigint): bigint {
  const value = valueIn(pool, reserveBps)
  if (value <= 0n) return 0n
  return mulDiv(pool.borrowed * pool.rate.belowE18, BPS - reserveBps, BPS * value, 'down')
}

/** The value of shares depends on these besides the pool. An unknown loss counts as none. */
export async function readShareTerms(
  tx: Queryable,
  { asset, reserveBps }: Pick<PoolRules, 'asset' | 'reserveBps'>,
  pool: LoanPool,
  { rules, pairs, now }: PledgeMoment,
): Promise<ShareTerms & { readonly isKnown: boolean }> {
  const ofPool = pairs.filter(({ borrowed }) => borrowed === asset)
  const loss = await readKnownLossNow(tx, { pool, rules, pairs: ofPool, now })
  return { reserveBps, knownLoss: loss ?? 0n, isKnown: loss !== undefined }
}

/** A place of the user's value that is no account of the ledger: the money is in the pools. */
function pledgedPlace(userId: string): string {
  return `user:${userId}:pledged`
}

/**
 * Reads the present value of a user's pledges, above zero: what leaving would pay. Read the balances on the same transaction, so that
 * they match.
 */
export async function readPledged(tx: Queryable, userId: string, moment: PledgeMoment): Promise<BalanceRow[]> {
  const pledged = await tx.query<{ asset: AssetId; shares: bigint }>(
    'select asset, shares from pledges where user_id = $1 and shares > 0',
    [userId],
  )
  if (pledged.length === 0) return []
  const assets = pledged.map(({ asset }) => asset)
  const pools = await readPools(tx, assets, moment.now)
  const rows: BalanceRow[] = []
  for (const { asset, shares } of pledged) {
    const pool = pools.get(asset)
    const rules = moment.rules.pools.find((each) => each.asset === asset)
    if (!pool || !rules) continue
    const units = valueOfShares(pool, shares, await readShareTerms(tx, rules, pool, moment))
    if (units > 0n) rows.push({ account: pledgedPlace(userId), asset, units })
  }
  return rows
}

/** Reads the same at past times: by the user's shares then, and the last value of shares that was recorded. */
export async function readPastPledged(
  tx: Queryable,
  userId: string,
  times: readonly Date[],
): Promise<PastBalanceRow[]> {
  const rows = await tx.query<{ index: number; asset: AssetId; units: bigint; shares: bigint; value: bigint | null }>(
    `select (point.number - 1)::integer as index, mine.asset, changed.value as units, changed.shares, later.value
     from unnest($2::timestamptz[]) with ordinality as point (at, number)
     cross join (select asset from pledges where user_id = $1) mine
     cross join lateral (
       select shares, value, at from pledge_changes
       where user_id = $1 and asset = mine.asset and at <= point.at order by at desc limit 1
     ) changed
     left join lateral (
       select value from pledge_values
       where asset = mine.asset and at <= point.at and at > changed.at order by at desc limit 1
     ) later on true
     where changed.shares > 0`,
    [userId, times.map((time) => time.toISOString())],
  )
  return rows.map(({ index, asset, units, shares, value }) => ({
    index,
    account: pledgedPlace(userId),
    asset,
    units: value === null ? units : mulDiv(shares, value, VALUED_SHARES, 'down'),
  }))
}

/** Records the value of shares and the rates of each pool now. A second record of one moment changes nothing. */
export async function recordPools(tx: Queryable, moment: PledgeMoment): Promise<void> {
  const { rules, now } = moment
  const pools = await readPools(
    tx,
    rules.pools.map(({ asset }) => asset),
    now,
  )
  for (const each of rules.pools) {
    const pool = pools.get(each.asset)
    if (!pool || pool.shares === 0n) continue
    const id = `${each.asset}:${now.getTime()}`
    const value = valueOfShares(pool, VALUED_SHARES, await readShareTerms(tx, each, pool, moment))
    await tx.query(
      `insert into pledge_values (id, asset, value, at) values ($1, $2, $3::numeric, $4) on conflict (id) do nothing`,
      [id, each.asset, value.toString(), now],
    )
    await tx.query(
      `insert into lending_rates (id, asset, at, loan_rate_e18, pledge_rate_e18, utilisation_e18, index_e27)
       values ($1, $2, $3, $4::numeric, $5::numeric, $6::numeric, $7::numeric) on conflict (id) do nothing`,
      [
        id,
        each.asset,
        now,
        ...[currentRate(pool.rate), pledgeRate(pool, each.reserveBps), utilisation(pool), pool.indexE27].map(String),
      ],
    )
  }
}
