import type { Database } from '@clearwell/ledger/database'
import { readBalances } from '@clearwell/ledger/read-balances'
import type { ReserveCheck } from '../custody/reserve-checks.ts'
import { INSURANCE, REFERRAL, REWARDS, TREASURY } from '../ledger/accounts.ts'
import { dayOf } from '../signer/daily-caps.ts'
import { voucherStore } from '../signer/signer.store.ts'
import type { SignerAsset } from '../signer/signer.ts'
import type { Clock } from '../time/clock.ts'
import { amountValue } from './amount-value.ts'
import { defineMetrics } from './define-metrics.ts'
import type { Metrics } from './metrics.ts'

const ACCOUNTS = [TREASURY, INSURANCE, REWARDS, REFERRAL]

/** The figures of the custody's money. The leader has them, so that no sum counts them twice. */
export const moneyMetrics = defineMetrics({
  clearwell_reserve_difference: {
    type: 'gauge',
    help: 'Holding of the vault minus the total of the ledger, at their last comparison, in the asset. Below 0, money is missing. The leader has it.',
    labels: { asset: 'an asset of the vault' },
  },
  clearwell_reserve_check_age_seconds: {
    type: 'gauge',
    help: 'Age of the last comparison of the ledger with the vault, in seconds. The leader has it.',
  },
  clearwell_account_balance: {
    type: 'gauge',
    help: 'Balance of an account of the operator, in the asset. The leader has it.',
    labels: { account: '`treasury`, `insurance`, `rewards` or `referral`', asset: 'an asset' },
  },
  clearwell_daily_cap_used: {
    type: 'gauge',
    help: 'The part of the daily cap of all vouchers that is used, from 0 to 1. The leader has it.',
    labels: { asset: 'an asset of the vault' },
  },
})

/** Reads the figures of money whenever the metrics are read. */
export function collectMoney(
  metrics: Pick<Metrics, 'add' | 'onCollect'>,
  deps: {
    readonly db: Database
    readonly clock: Clock
    readonly isLeader: () => boolean
    readonly lastReserveCheck: () => Promise<ReserveCheck | undefined>
    /** The caps in force. */
    readonly caps: () => Promise<readonly SignerAsset[]>
  },
): void {
  const { db, clock, isLeader, lastReserveCheck, caps } = deps
  const recorder = metrics.add(moneyMetrics)
  metrics.onCollect(async () => {
    const check = isLeader() ? await lastReserveCheck() : undefined
    const figures = (check?.figures ?? []).map(({ asset, vault, owed }) => ({
      labels: { asset },
      value: amountValue({ asset, units: vault - owed }),
    }))
    recorder.set('clearwell_reserve_difference', figures)
    const ageMs = check && clock.now().getTime() - check.checkedAt.getTime()
    const age = ageMs === undefined ? [] : [{ labels: {}, value: Math.max(0, ageMs / 1000) }]
    recorder.set('clearwell_reserve_check_age_seconds', age)
  })
  metrics.onCollect(async () => {
    const rows = isLeader() ? await readBalances(db, ACCOUNTS) : []
    const balances = rows.map(({ account, asset, units }) => ({
      labels: { account, asset },
      value: amountValue({ asset, units }),
    }))
    recorder.set('clearwell_account_balance', balances)
  })
  metrics.onCollect(async () => {
    const listed = isLeader() ? await caps() : []
    const uses = listed.map(async ({ asset, unit, perDay }) => {
      const { used } = await voucherStore.usedByAll(db, dayOf(asset, clock.now()), unit)
      // In millionths, so that only the small quotient leaves the integers.
      const value = perDay === 0n ? 1 : Number((used * 1_000_000n) / perDay) / 1e6
      return { labels: { asset }, value }
    })
    recorder.set('clearwell_daily_cap_used', await Promise.all(uses))
  })
}
