import type { Queryable } from '@clearwell/ledger/database'

export interface VoucherRow {
  readonly nonce: bigint
  readonly digest: string
  /** The account that it pays, in lower case. */
  readonly account: string
  readonly asset: string
  /** In the token's own base units. */
  readonly units: bigint
  readonly signed_at: Date
  /** The reason of a refusal; null for a signed voucher. */
  readonly refused: string | null
}

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

/** The vouchers of an asset signed since a time that were paid or can still be paid. */
const COUNTED = `from signed_vouchers where asset = $1 and signed_at > $2 and refused is null
  and not exists (select 1 from lapsed_vouchers lapsed where lapsed.nonce = signed_vouchers.nonce)`

/** Stores the signer's decision for each nonce. The only SQL on its tables. */
export const voucherStore = {
  /** Locks the asset for other signings until the transaction ends. */
  async lockAsset(tx: Queryable, asset: string): Promise<void> {
    await tx.query('insert into signer_caps (asset) values ($1) on conflict do nothing', [asset])
    await tx.query('select asset from signer_caps where asset = $1 for update', [asset])
  },
  async find(tx: Queryable, nonce: bigint): Promise<Pick<VoucherRow, 'digest' | 'refused'> | undefined> {
    const text = 'select digest, refused from signed_vouchers where nonce = $1'
    return (await tx.query<Pick<VoucherRow, 'digest' | 'refused'>>(text, [nonce.toString()]))[0]
  },
  /** Sums what one account's vouchers of the day take. */
  async usedByAccount(tx: Queryable, { asset, since }: Day, account: string): Promise<CapUse> {
    const [row] = await tx.query<{ used: bigint; first_at: Date | null }>(
      `select coalesce(sum(units), 0) as used, min(signed_at) as first_at ${COUNTED} and account = $3`,
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
    // A signature and a deposit of the same moment: the deposit counts as the earlier one, which frees less.
    const [row] = await tx.query<{ used: bigint; first_at: Date }>(
      `with movements as (
         select signed_at as at, units ${COUNTED}
         union all
         select credited_at, -div(units, $3) from deposits
         where asset = $1 and credited_at > $2 and credited_at <= $4 and taken_back_at is null
       ), sums as (
         select at, sum(units) over (order by at desc, units desc rows unbounded preceding) as used from movements
       )
       select used, at as first_at from sums where used > 0 order by used desc, at desc limit 1`,
      [asset, since, unit.toString(), now],
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
  /** Records which of these vouchers were signed and have expired unpaid. */
  async markExpired(tx: Queryable, vouchers: readonly Pick<VoucherRow, 'nonce' | 'digest'>[], at: Date): Promise<void> {
    await tx.query(
      `insert into lapsed_vouchers (nonce, lapsed_at)
       select distinct nonce, $3::timestamptz from signed_vouchers
         join unnest($1::numeric[], $2::text[]) as asked (nonce, digest) using (nonce, digest)
       where refused is null on conflict (nonce) do nothing`,
      [vouchers.map(({ nonce }) => nonce.toString()), vouchers.map(({ digest }) => digest), at.toISOString()],
    )
  },
}
