import type { VoucherRefusal, WithdrawalStop } from '@clearwell/api/refusal-reasons'
import type { Queryable } from '@clearwell/ledger/database'
import type { RowOf } from '@clearwell/ledger/table'
import { MINUTE_MS } from '@clearwell/rules/spans'
import type { signedVouchers, signerCaps } from './signer.tables.ts'

/** The reason why a voucher is never signed. */
export type SignerRefusal = WithdrawalStop | VoucherRefusal | 'cancelled'

export type VoucherRow = RowOf<typeof signedVouchers>

/** The last 24 hours of an asset. */
export interface Day {
  readonly asset: string
  readonly now: Date
  readonly since: Date
}

/** A part of a daily cap that is used, in the token's own base units. */
export interface CapUse {
  readonly used: bigint
  /** The time of the first signature that counts toward it: 24 hours later, less is used. */
  readonly firstAt: Date | undefined
}

const NOTHING_USED: CapUse = { used: 0n, firstAt: undefined }

/** The vouchers of an asset that were paid or can still be paid. */
const COUNTED = `from signed_vouchers where asset = $1 and refused is null
  and not exists (select 1 from expired_vouchers lapsed where lapsed.nonce = signed_vouchers.nonce)`

/** Stores the signer's decision for each nonce. The only SQL on its tables. */
export const voucherStore = {
  /** Locks the asset for other signings until the transaction ends. */
  lockAsset,
  async find(tx: Queryable, nonce: bigint): Promise<Pick<VoucherRow, 'digest' | 'refused'> | undefined> {
    const text = 'select digest, refused from signed_vouchers where nonce = $1'
    return (await tx.query<Pick<VoucherRow, 'digest' | 'refused'>>(text, [nonce.toString()]))[0]
  },
  /** Sums what one account's vouchers of the day take. */
  async usedByAccount(tx: Queryable, { asset, since }: Day, account: string): Promise<CapUse> {
    const [row] = await tx.query<{ used: bigint; first_at: Date | null }>(
      `select coalesce(sum(units), 0) as used, min(signed_at) as first_at ${COUNTED} and signed_at > $2 and account = $3`,
      [asset, since, account],
    )
    return row ? { used: row.used, firstAt: row.first_at ?? undefined } : NOTHING_USED
  },
  /**
   * The most that vouchers have taken since any moment of the day, net of the deposits after that moment. So a deposit
   * frees only what was signed before it, and deposits before a signature never add to the cap.
   *
   * @param unit the ledger's units per unit of the token: deposits are in the ledger's.
   */
  async usedByAll(tx: Queryable, { asset, now, since }: Day, unit: bigint): Promise<CapUse> {
    const { from, to } = await summedPeriod(tx, { asset, now, since })
    const single = (isIn: (at: string) => string) => `
      select signed_at as at, units as total ${COUNTED} and ${isIn('signed_at')}
      union all
      select credited_at, -div(units, $3) from deposits
      where asset = $1 and ${isIn('credited_at')} and credited_at <= $4 and taken_back_at is null`
    // A signature and a deposit of the same moment: the deposit counts as the earlier one, which frees less.
    const [row] = await tx.query<{ used: bigint; first_at: Date }>(
      `with movements as (
         select at, total, total as highest, at as highest_at from (
           ${single((at) => `${at} > $2 and ${at} < $5`)}
           union all
           ${single((at) => `${at} > $2 and ${at} >= $6`)}
         ) single
         union all
         select minute, total, highest, highest_at from signer_minutes
         where asset = $1 and minute >= $5 and minute < $6
       ), sums as (
         select highest_at, highest + coalesce(sum(total) over (
           order by at desc, total desc rows between unbounded preceding and 1 preceding
         ), 0) as used from movements
       )
       select used, highest_at as first_at from sums where used > 0 order by used desc, highest_at desc limit 1`,
      [asset, since, unit.toString(), now, from, to],
    )
    return row ? { used: row.used, firstAt: row.first_at } : NOTHING_USED
  },
  /** Returns false if the nonce already has a stored decision. */
  async insert(tx: Queryable, row: VoucherRow): Promise<boolean> {
    const kept = await tx.query(
      `insert into signed_vouchers (nonce, digest, account, asset, units, signed_at, refused)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict (nonce) do nothing returning nonce`,
      [row.nonce.toString(), row.digest, row.account, row.asset, row.units.toString(), row.signed_at, row.refused],
    )
    return kept.length > 0
  },
  /**
   * Sums the minutes that have ended since the last call. Call it with the asset locked.
   *
   * @param unit as in `usedByAll`.
   */
  async sumMinutes(tx: Queryable, { asset, now, since }: Day, unit: bigint): Promise<void> {
    const [caps] = await tx.query<SummedRow>('select summed_from, summed_to from signer_caps where asset = $1', [asset])
    // A deposit is committed a moment after its time.
    const last = minuteOf(now) - 2 * MINUTE_MS
    const oldest = minuteOf(since) - KEPT_MS
    const isContinued = caps?.summed_to && caps.summed_from && caps.summed_to.getTime() >= oldest
    const from = isContinued ? caps.summed_to.getTime() : minuteOf(since)
    const to = Math.min(last, from + MAX_SUMMED_MS)
    if (to <= from) return
    await tx.query('delete from signer_minutes where asset = $1 and (minute < $2 or minute >= $3)', [
      asset,
      new Date(oldest),
      new Date(from),
    ])
    await insertMinutes(tx, { asset, unit, fromMs: from, toMs: to })
    const first = isContinued ? Math.max(caps.summed_from.getTime(), oldest) : from
    await tx.query('update signer_caps set summed_from = $2, summed_to = $3 where asset = $1', [
      asset,
      new Date(first),
      new Date(to),
    ])
  },
  /**
   * Records which of these vouchers were signed and have expired unpaid, and sums their minutes again.
   *
   * @param unitOf the unit of an asset, as in `usedByAll`.
   */
  async markExpired(
    tx: Queryable,
    vouchers: readonly Pick<VoucherRow, 'nonce' | 'digest'>[],
    at: Date,
    unitOf: (asset: string) => bigint,
  ): Promise<void> {
    const expired = await tx.query<{ asset: string; signed_at: Date }>(
      'select asset, signed_at from signed_vouchers where nonce = any($1::numeric[]) order by asset',
      [vouchers.map(({ nonce }) => nonce.toString())],
    )
    const byAsset = Map.groupBy(expired, ({ asset }) => asset)
    for (const asset of byAsset.keys()) await lockAsset(tx, asset)
    await tx.query(
      `insert into expired_vouchers (nonce, expired_at)
       select distinct nonce, $3::timestamptz from signed_vouchers
         join unnest($1::numeric[], $2::text[]) as asked (nonce, digest) using (nonce, digest)
       where refused is null on conflict (nonce) do nothing`,
      [vouchers.map(({ nonce }) => nonce.toString()), vouchers.map(({ digest }) => digest), at.toISOString()],
    )
    for (const [asset, rows] of byAsset) {
      const minutes = [...new Set(rows.map((row) => minuteOf(row.signed_at)))].map((ms) => new Date(ms))
      const again = await tx.query<{ minute: Date }>(
        'delete from signer_minutes where asset = $1 and minute = any($2::timestamptz[]) returning minute',
        [asset, minutes.map((minute) => minute.toISOString())],
      )
      for (const { minute } of again) {
        const fromMs = minute.getTime()
        await insertMinutes(tx, { asset, unit: unitOf(asset), fromMs, toMs: fromMs + MINUTE_MS })
      }
    }
  },
}

/** One call sums at most this period, so that a signature stays quick. Later minutes are read from their rows meanwhile. */
const MAX_SUMMED_MS = 21_600_000
/** Sums are kept for longer than a day, so that a clock that goes back a little still finds them. */
const KEPT_MS = 3_600_000

type SummedRow = Omit<RowOf<typeof signerCaps>, 'asset'>

/** Locks the asset for other signings until the transaction ends. */
async function lockAsset(tx: Queryable, asset: string): Promise<void> {
  await tx.query('insert into signer_caps (asset) values ($1) on conflict do nothing', [asset])
  await tx.query('select asset from signer_caps where asset = $1 for update', [asset])
}

/** The full minutes of the day that have sums. Empty, at its beginning, if there are none for the whole of it. */
async function summedPeriod(tx: Queryable, { asset, now, since }: Day): Promise<{ from: Date; to: Date }> {
  const [caps] = await tx.query<SummedRow>('select summed_from, summed_to from signer_caps where asset = $1', [asset])
  const from = new Date(minuteOf(since) + MINUTE_MS)
  const isUsable = caps?.summed_from && caps.summed_to && caps.summed_from <= from && caps.summed_to <= now
  return isUsable && caps.summed_to > from ? { from, to: caps.summed_to } : { from: since, to: since }
}

async function insertMinutes(
  tx: Queryable,
  { asset, unit, fromMs, toMs }: { asset: string; unit: bigint; fromMs: number; toMs: number },
): Promise<void> {
  await tx.query(
    `insert into signer_minutes (asset, minute, total, highest, highest_at)
     select distinct on (minute) $1, minute, sum(units) over (partition by minute), used, at from (
       select minute, at, units, sum(units) over (
         partition by minute order by at desc, units desc rows unbounded preceding
       ) as used
       from (
         select date_bin('1 minute', at, 'epoch') as minute, at, units from (
           select signed_at as at, units ${COUNTED} and signed_at >= $2 and signed_at < $4
           union all
           select credited_at, -div(units, $3) from deposits
           where asset = $1 and credited_at >= $2 and credited_at < $4 and taken_back_at is null
         ) movements
       ) binned
     ) sums order by minute, used desc, at desc`,
    [asset, new Date(fromMs), unit.toString(), new Date(toMs)],
  )
}

function minuteOf(time: Date): number {
  return Math.floor(time.getTime() / MINUTE_MS) * MINUTE_MS
}
