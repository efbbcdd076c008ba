import type { Queryable } from '@clearwell/ledger/database'

export interface VoucherRow {
  readonly nonce: bigint
  readonly digest: string
  readonly asset: string
  /** In the token's own base units. */
  readonly units: bigint
  readonly signed_at: Date
  /** The reason of a refusal; null for a signed voucher. */
  readonly refused: string | null
}

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
  /** Sums the vouchers of an asset signed after `time` that were paid or can still be paid. */
  async signedSince(tx: Queryable, asset: string, time: Date): Promise<bigint> {
    const [row] = await tx.query<{ units: bigint }>(
      `select coalesce(sum(units), 0) as units from signed_vouchers
       where asset = $1 and signed_at > $2 and refused is null
         and not exists (select 1 from lapsed_vouchers lapsed where lapsed.nonce = signed_vouchers.nonce)`,
      [asset, time],
    )
    return row?.units ?? 0n
  },
  /** Returns false if the nonce already has a stored decision. */
  async insert(tx: Queryable, row: VoucherRow): Promise<boolean> {
    const kept = await tx.query(
      `insert into signed_vouchers (nonce, digest, asset, units, signed_at, refused) values ($1, $2, $3, $4, $5, $6)
       on conflict (nonce) do nothing returning nonce`,
      [row.nonce.toString(), row.digest, row.asset, row.units.toString(), row.signed_at, row.refused],
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
