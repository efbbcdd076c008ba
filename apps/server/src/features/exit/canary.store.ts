import type { Queryable } from '@clearwell/ledger/database'
import { type ExitPaymentRow, exitPayments } from '../../platform/custody/exit-payments.ts'
import type { CanaryExit } from './describe-canary.ts'

/** Payments that an exit shows. There are as many assets as this at most, and each is paid once. */
const MOST_PAYMENTS = 20

interface RequestRow {
  readonly at: Date
  readonly tx_hash: string
  readonly block: bigint
  readonly ended_at: Date | null
  /** The block of the next request of the account. */
  readonly next_block: bigint | null
}

/**
 * Reads exits of an account, newest first. A request reaches to the next one: only a cancel lets the vault take another.
 *
 * @param before reads those whose request is in an earlier block.
 */
export async function readExits(
  db: Queryable,
  account: string,
  { before, limit }: { readonly before?: bigint | undefined; readonly limit: number },
): Promise<CanaryExit[]> {
  const rows = await db.query<RequestRow>(
    `select r.at, r.tx_hash, r.block, ended.at as ended_at, next.block as next_block
     from exit_acts r
     left join lateral (
       select n.block, n.log_index from exit_acts n
       where n.user_id = r.user_id and n.kind = 'request' and not n.is_void and (n.block, n.log_index) > (r.block, r.log_index)
       order by n.block, n.log_index limit 1
     ) next on true
     left join lateral (
       select c.at from exit_acts c
       where c.user_id = r.user_id and c.kind = 'cancel' and not c.is_void and (c.block, c.log_index) > (r.block, r.log_index)
         and (next.block is null or (c.block, c.log_index) < (next.block, next.log_index))
       order by c.block, c.log_index limit 1
     ) ended on true
     where r.user_id = $1 and r.kind = 'request' and not r.is_void and ($2::numeric is null or r.block < $2::numeric)
     order by r.block desc, r.log_index desc limit $3`,
    [account, before === undefined ? null : `${before}`, limit],
  )
  const oldest = rows.at(-1)
  if (!oldest) return []
  const payments = await db.query<ExitPaymentRow>(
    `select ${exitPayments.columns} from exit_payments
     where user_id = $1 and taken_back_at is null and block >= $2 and ($3::numeric is null or block < $3::numeric)
     order by block, id limit ${MOST_PAYMENTS} * $4::int`,
    [account, `${oldest.block}`, boundOf(rows[0]), limit],
  )
  return rows.map((row) => ({
    requestedAt: row.at,
    requestTx: row.tx_hash,
    block: row.block,
    endedAt: row.ended_at ?? undefined,
    payments: payments
      .filter(({ block }) => block >= row.block && (row.next_block === null || block < row.next_block))
      .slice(0, MOST_PAYMENTS),
  }))
}

function boundOf(newest: RequestRow | undefined): string | null {
  return newest?.next_block == null ? null : `${newest.next_block}`
}
