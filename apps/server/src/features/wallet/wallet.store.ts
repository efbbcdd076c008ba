import type { Database } from '@clearwell/ledger/database'
import type { AssetId } from '@clearwell/money/asset'
import type { ChainBlock } from '../../chain/chain.ts'
import { type Cursor, olderThan } from '../../http/paging.ts'

export interface BalanceRow {
  account: string
  asset: AssetId
  units: bigint
}

export interface LogRow {
  entry_seq: bigint
  position: number
  kind: string
  asset: AssetId
  units: bigint
  balance_after: bigint
  reference: string
  at: Date
}

export interface DepositOrderRow {
  id: string
  asset: AssetId
  amount: bigint
  credited: bigint
  tx_hash: string | null
  created_at: Date
  expires_at: Date
}

export interface LogFilter {
  readonly asset?: string | undefined
  readonly kind?: string | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

/** The wallet's reads. */
export function createWalletStore(db: Database) {
  return {
    async cursor(chainId: number): Promise<ChainBlock | undefined> {
      const [row] = await db.query<ChainBlock>('select number, hash from chain_cursors where id = $1', [
        String(chainId),
      ])
      return row
    },
    balances: (accounts: readonly string[]) =>
      db.query<BalanceRow>('select account, asset, units from balances where account = any($1::text[])', [accounts]),
    logs: (
      accounts: readonly string[],
      filter: LogFilter,
      after: { seq: bigint; position: number } | undefined,
      limit: number,
    ) =>
      db.query<LogRow>(
        `select p.entry_seq, p.position, e.kind, p.asset, p.units, p.balance_after, e.reference, e.at
         from postings p join entries e on e.seq = p.entry_seq
         where p.account = any($1::text[])
           and ($2::text is null or p.asset = $2) and ($3::text is null or e.kind = $3)
           and ($4::timestamptz is null or e.at >= $4) and ($5::timestamptz is null or e.at < $5)
           and ($6::bigint is null or (p.entry_seq, p.position) < ($6::bigint, $7::integer))
         order by p.entry_seq desc, p.position desc limit $8`,
        [
          accounts,
          filter.asset ?? null,
          filter.kind ?? null,
          filter.from ?? null,
          filter.to ?? null,
          after?.seq.toString() ?? null,
          after?.position ?? null,
          limit,
        ],
      ),
    buyOrder: async (userId: string, id: string) =>
      (
        await db.query<DepositOrderRow>(
          `select id, asset, amount, credited, tx_hash, created_at, expires_at from deposit_orders
           where id = $1 and user_id = $2`,
          [id, userId],
        )
      )[0],
    buyOrders: (userId: string, after: Cursor | undefined, limit: number) =>
      db.query<DepositOrderRow>(
        `select id, asset, amount, credited, tx_hash, created_at, expires_at from deposit_orders
         where user_id = $1 and purpose = 'transfer_in' and ${olderThan('$2', '$3')}
         order by created_at desc, id desc limit $4`,
        [userId, after?.at ?? null, after?.id ?? null, limit],
      ),
  }
}

export type WalletStore = ReturnType<typeof createWalletStore>
