import type { Database } from '@clearwell/ledger/database'
import { formatAmount } from '@clearwell/money/amount'
import { settlePayouts } from '../features/wallet/settle-payout.ts'
import type { Config } from '../load-config.ts'
import type { Custody } from '../platform/chain/chain.ts'
import { readUnknownPayouts, type UnknownPayoutRow } from '../platform/custody/unknown-payouts.ts'
import { type Arguments, failure, isPrintable, type OperatorCommand, type Outcome } from './command.ts'
import { withChain, withConfigFile, withDatabase } from './open-books.ts'
import { requestAction } from './request-action.ts'

/** Payouts that are listed, and those of one transaction that are settled together. */
const [LISTED, OF_TRANSACTION] = [200, 100]

export const payouts: OperatorCommand = {
  about:
    'lists payouts of the vault that the ledger does not know, and books them: from the balance that was paid, then insurance, then treasury. `list` has exit code 1 while one is not settled',
  words: 'list | settle <transaction hash> --reason <text> [--execute]',
  options: ['reason', 'execute'],
  async run({ words, json, execute, reason }) {
    const [verb, txHash, ...rest] = words
    if (rest.length > 0) return undefined
    if (verb === 'list' && txHash === undefined) return withDatabase((db) => list(db, json))
    if (verb !== 'settle' || !/^0x[0-9a-f]{64}$/.test(txHash ?? '') || !reason || !isPrintable(reason)) return undefined
    return withConfigFile((config, db) =>
      withChain(
        config,
        db,
        () => {},
        (_chain, custody) => settle({ config, db, custody }, txHash ?? '', { json, execute, reason }),
      ),
    )
  },
}

async function settle(
  { config, db, custody }: { config: Config; db: Database; custody: Custody },
  txHash: string,
  args: Pick<Arguments, 'json' | 'execute'> & { readonly reason: string },
): Promise<Outcome> {
  const rows = await readUnknownPayouts(db, { txHash, limit: OF_TRANSACTION })
  if (rows.length === 0) return failure('The ledger has recorded no unknown payout in this transaction.')
  const open = rows.filter(({ settled_at }) => settled_at === null)
  if (open.length === 0) return failure('The payouts of this transaction are settled already.')
  const users = await db.query<{ id: string }>('select id from users where id = any($1::text[])', [
    open.map(({ account }) => account),
  ])
  const payload = {
    operator: custody.operator,
    payouts: open.map(({ id, account, asset }) => ({
      id,
      account,
      asset: asset as 'BNB' | 'USDT' | 'ETH',
      isUser: users.some((user) => user.id === account),
    })),
  }
  return requestAction(config, db, { action: settlePayouts, payload, args })
}

async function list(db: Database, json: boolean): Promise<Outcome> {
  const rows = await readUnknownPayouts(db, { limit: LISTED })
  const open = rows.filter(({ settled_at }) => settled_at === null)
  const text = json ? JSON.stringify({ payouts: rows.map(jsonOf) }, null, 2) : rows.map(lineOf).join('\n')
  const empty = json ? text : 'Every payout of the vault has an order.'
  const faults =
    open.length === 0 ? [] : [`${open.length} of them are not settled. See docs/recipes/restore-a-backup.md.`]
  return { text: rows.length === 0 ? empty : text, faults, exitCode: open.length === 0 ? 0 : 1 }
}

function jsonOf(row: UnknownPayoutRow) {
  const text = (units: bigint | null) => (units === null ? null : formatAmount({ asset: row.asset, units }))
  return {
    tx_hash: row.tx_hash,
    block: String(row.block_number),
    account: row.account,
    asset: row.asset,
    amount: text(row.units),
    reason: row.reason,
    seen_at: row.seen_at.toISOString(),
    settled_at: row.settled_at?.toISOString() ?? null,
    paid_by_account: text(row.paid_by_account),
    paid_by_insurance: text(row.paid_by_insurance),
    paid_by_treasury: text(row.paid_by_treasury),
  }
}

function lineOf(row: UnknownPayoutRow): string {
  const { tx_hash: txHash, account, asset, amount, reason, settled_at: settledAt } = jsonOf(row)
  const state = settledAt === null ? `not settled: ${reason}` : `settled at ${settledAt}`
  return `${txHash}  ${amount} ${asset} to ${account}  ${state}`
}
