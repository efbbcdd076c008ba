import type { Command } from '@clearwell/ledger/command'
import type { Posting } from '@clearwell/ledger/entry-hash'
import type { Writer } from '@clearwell/ledger/writer'
import type { AssetId } from '@clearwell/money/asset'
import { type RevenueParts, splitRevenue } from '@clearwell/rules/revenue-split'
import { HOUR_MS } from '@clearwell/rules/spans'
import { lendingReserve } from '../../domain/lending/lending-accounts.ts'
import type { LendingParameters } from '../../domain/lending/lending-parameters.ts'
import { createPairPrices } from '../../domain/lending/pair-prices.ts'
import { recordPools } from '../../domain/lending/pledge-values.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { INSURANCE, REWARDS, TREASURY } from '../../platform/ledger/accounts.ts'
import type { MoneyPrices } from '../../platform/prices/money-prices.ts'
import type { Ruled } from '../../platform/rules/ruled.ts'

/** Shares out the reserve, and records the value of shares and the rates, each hour. */
export function shareReserveEachHour({
  writer,
  parameters,
  moneyPrices,
  shares,
}: {
  readonly writer: Pick<Writer, 'execute'>
  readonly parameters: Pick<LendingParameters, 'rules' | 'rulesAt'>
  readonly moneyPrices: MoneyPrices
  readonly shares: Ruled<RevenueParts>
}) {
  return defineJob({
    name: 'stake.share-reserve',
    recurs: { everyMs: HOUR_MS },
    async act({ stepKey }) {
      const assets = (await parameters.rules()).pools.map(({ asset }) => asset)
      await writer.execute(shareReserve(assets, shares, stepKey))
    },
    async step(tx, { now }) {
      const rules = await parameters.rulesAt(tx, now)
      await recordPools(tx, { rules, pairs: await createPairPrices({ moneyPrices, rules }).all(), now })
      return 'done'
    },
  })
}

/**
 * Shares out the reserve's part of the interest that has arrived since the last time, as every revenue.
 *
 * @param key the same for a repeated attempt.
 */
export function shareReserve(
  assets: readonly AssetId[],
  shares: Ruled<RevenueParts>,
  key: string,
): Command<{ shared: number }> {
  return {
    kind: 'share_lending_reserve',
    owner: 'stake',
    key,
    payload: {},
    preload: assets.flatMap((asset) =>
      [lendingReserve(asset), REWARDS, INSURANCE, TREASURY].map((account) => ({ account, asset })),
    ),
    decide(state, context) {
      const reference = context.id('reserve')
      const parts = shares.in(state, context.now)
      const entries = assets.flatMap((asset) => {
        const units = state.balance(lendingReserve(asset), asset)
        if (units === 0n) return []
        return [{ kind: 'reserve_shared', reference, postings: postingsOf(asset, units, parts) }]
      })
      return { entries, response: { shared: entries.length } }
    },
  }
}

function postingsOf(asset: AssetId, units: bigint, shares: RevenueParts): Posting[] {
  const { rewards, referral, insurance, treasury } = splitRevenue(units, shares)
  return [
    { account: lendingReserve(asset), asset, units: -units },
    // Interest has no inviter: the referral part would stay in its account for ever.
    { account: REWARDS, asset, units: rewards + referral },
    { account: INSURANCE, asset, units: insurance },
    { account: TREASURY, asset, units: treasury },
  ].filter((posting) => posting.units !== 0n)
}
