import { arrayLiteral } from '@clearwell/ledger/array-literal'
import type { Queryable } from '@clearwell/ledger/database'
import type { PostingRow } from '@clearwell/ledger/read-postings'
import { column, defineTable, forever } from '@clearwell/ledger/table'
import { followLedger } from '../../platform/ledger/follow-ledger.ts'

export const referralTotals = defineTable(
  'referral_totals',
  forever('one row for each account and asset with a referral share'),
  {
    user_id: column.user('implied'),
    asset: column.asset,
    units: column.units,
    shares: column.integer,
  },
)

/** Adds up each user's referral shares, so that the overview never reads a whole history. */
export const totalShares = followLedger({ name: 'team.total-shares', follow: addShares })

async function addShares(tx: Queryable, postings: readonly PostingRow[]): Promise<void> {
  const totals = new Map<string, { userId: string; asset: string; units: bigint; shares: number }>()
  for (const { kind, account, asset, units } of postings) {
    if (kind !== 'referral_share') continue
    const [, userId = ''] = account.split(':')
    const total = totals.get(`${userId} ${asset}`) ?? { userId, asset, units: 0n, shares: 0 }
    totals.set(`${userId} ${asset}`, { ...total, units: total.units + units, shares: total.shares + 1 })
  }
  if (totals.size === 0) return
  const rows = [...totals.values()]
  await tx.query(
    `insert into referral_totals as old (user_id, asset, units, shares)
     select * from unnest($1::text[], $2::text[], $3::numeric[], $4::integer[])
     on conflict (user_id, asset) do update set units = old.units + excluded.units, shares = old.shares + excluded.shares`,
    [
      arrayLiteral(rows.map(({ userId }) => userId)),
      arrayLiteral(rows.map(({ asset }) => asset)),
      arrayLiteral(rows.map(({ units }) => units)),
      arrayLiteral(rows.map(({ shares }) => shares)),
    ],
  )
}
